/// The JSON Schema (draft 2020-12) of the report.
///
/// Words that may grow without a new `schemaVersion` (codes and reasons) are listed as examples, not as the only values:
/// readers must take unknown ones.
public enum ReportSchema {
  /// The schema as a JSON document with a line feed at its end.
  public static let text = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "bulkget report",
      "description": "What a run has done.",
      "type": "object",
      "required": [\(SchemaPart.headKeys), "totals", "files"],
      "properties": {
        "kind": {"const": "run"},
    \(SchemaPart.headProperties)
        "totals": {
          "type": "object",
          "description": "The kinds from downloaded to skipped add up to files.",
          "required": ["files", "downloaded", "revalidated", "cached", "failed", "optionalFailed", "cancelled", "skipped", "placed", "bytes", "transferredBytes", "retries"],
          "properties": {
            "files": {"$ref": "#/$defs/count"},
            "downloaded": {"$ref": "#/$defs/count"},
            "revalidated": {"$ref": "#/$defs/count"},
            "cached": {"$ref": "#/$defs/count"},
            "failed": {"$ref": "#/$defs/count"},
            "optionalFailed": {"$ref": "#/$defs/count"},
            "cancelled": {"$ref": "#/$defs/count"},
            "skipped": {"$ref": "#/$defs/count"},
            "placed": {"$ref": "#/$defs/count"},
            "bytes": {"$ref": "#/$defs/count"},
            "transferredBytes": {"$ref": "#/$defs/count"},
            "retries": {"$ref": "#/$defs/count"}
          }
        },
        "files": {"type": "array", "items": {"$ref": "#/$defs/file"}},
        "problems": {
          "type": "array",
          "description": "Only with exit status 2: what is wrong in the manifests.",
          "items": {
            "type": "object",
            "required": ["file", "line", "column", "message"],
            "properties": {
              "file": {"type": "string"},
              "line": {"$ref": "#/$defs/count"},
              "column": {"$ref": "#/$defs/count"},
              "message": {"type": "string"}
            }
          }
        }
      },
      "$defs": {
        "file": {
          "type": "object",
          "required": ["id", "namespace", "type", "status", "action", "reason", "url", "finalURL", "bytes", "transferredBytes", "resumedBytes", "sha256", "path", "destination", "attempts", "durationSeconds", "source", "warnings", "error"],
          "properties": {
    \(SchemaPart.entryProperties)
            "status": {"enum": [\(SchemaPart.words(Outcome.Status.allCases))]},
            "finalURL": {"type": ["string", "null"]},
            "bytes": {"$ref": "#/$defs/count"},
            "transferredBytes": {"$ref": "#/$defs/count"},
            "sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"},
            "path": {"type": ["string", "null"]},
            "attempts": {"type": "array", "items": {"$ref": "#/$defs/attempt"}},
            "durationSeconds": {"type": "number", "minimum": 0}
          }
        },
        "attempt": {
          "type": "object",
          "required": ["url", "httpStatus", "startedAt", "durationSeconds", "bytes", "error"],
          "properties": {
            "url": {"type": "string"},
            "httpStatus": {"type": ["integer", "null"]},
            "startedAt": {"$ref": "#/$defs/timestamp"},
            "durationSeconds": {"type": "number", "minimum": 0},
            "bytes": {"$ref": "#/$defs/count"},
            "error": {"$ref": "#/$defs/error"}
          }
        },
    \(SchemaPart.definitions)
      }
    }

    """
}
