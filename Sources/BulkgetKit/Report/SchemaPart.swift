/// What the schemas of plan and report have in common.
enum SchemaPart {
  /// The keys that every document has, as members of `required`.
  static let headKeys = """
    "schemaVersion", "kind", "tool", "manifests", "startedAt", "finishedAt", "durationSeconds", "status", \
    "exitStatus", "error", "warnings"
    """

  /// The head's properties but `kind`, each line ending in a comma.
  static let headProperties = indented(
    4,
    """
    "schemaVersion": {"const": \(ReportHead.schemaVersion)},
    "tool": {
      "type": "object",
      "required": ["name", "version"],
      "properties": {"name": {"type": "string"}, "version": {"type": "string"}}
    },
    "manifests": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["path", "sha256"],
        "properties": {
          "path": {"type": "string"},
          "sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"}
        }
      }
    },
    "startedAt": {"$ref": "#/$defs/timestamp"},
    "finishedAt": {"$ref": "#/$defs/timestamp"},
    "durationSeconds": {"type": "number", "minimum": 0},
    "status": {"enum": [\(words(Report.Status.allCases))]},
    "exitStatus": {"type": "integer", "minimum": 0},
    "error": {"$ref": "#/$defs/error"},
    "warnings": {"$ref": "#/$defs/warnings"},
    """)

  /// What both documents say about an entry, each line ending in a comma.
  static let entryProperties = indented(
    8,
    """
    "id": {"type": "string"},
    "namespace": {"type": "string"},
    "type": {"type": ["string", "null"]},
    "action": {"enum": [\(words(Step.Action.allCases))]},
    "reason": {"type": "string", "examples": [\(words(Step.Reason.allCases))]},
    "url": {"type": ["string", "null"]},
    "resumedBytes": {"$ref": "#/$defs/count"},
    "destination": {"type": ["string", "null"]},
    "source": {"$ref": "#/$defs/source"},
    "warnings": {"$ref": "#/$defs/warnings"},
    "error": {"$ref": "#/$defs/error"},
    "optional": {"type": "boolean", "description": "Absent where it is false."},
    """)

  /// What the properties refer to.
  static let definitions = indented(
    4,
    """
    "count": {"type": "integer", "minimum": 0},
    "timestamp": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\\\.[0-9]{3}Z$"},
    "error": {
      "type": ["object", "null"],
      "required": ["code", "message"],
      "properties": {
        "code": {"type": "string", "examples": [\(words(Failure.Code.allCases))]},
        "message": {"type": "string"}
      }
    },
    "warnings": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}}
      }
    },
    "source": {
      "type": ["object", "null"],
      "required": ["file", "line", "column"],
      "properties": {
        "file": {"type": "string"},
        "line": {"$ref": "#/$defs/count"},
        "column": {"$ref": "#/$defs/count"}
      }
    }
    """)

  /// The raw values as members of a JSON array.
  static func words<Word: RawRepresentable<String>>(_ words: [Word]) -> String {
    words.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  private static func indented(_ width: Int, _ text: String) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: width) + $0 }
      .joined(separator: "\n")
  }
}
