/// The JSON Schema (draft 2020-12) of the plan.
public enum PlanSchema {
  /// The schema as a JSON document with a line feed at its end.
  public static let text = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "bulkget plan",
      "description": "What a run would do.",
      "type": "object",
      "required": [\(SchemaPart.headKeys), "totals", "files"],
      "properties": {
        "kind": {"const": "plan"},
    \(SchemaPart.headProperties)
        "totals": {
          "type": "object",
          "description": "The actions from download to skip add up to files; conflicts are among them.",
          "required": ["files", \(SchemaPart.words(Step.Action.allCases)), "conflicts", "bytes", "transferBytes", "unknownSizes"],
          "properties": {
            "files": {"$ref": "#/$defs/count"},
            "download": {"$ref": "#/$defs/count"},
            "resume": {"$ref": "#/$defs/count"},
            "rehash": {"$ref": "#/$defs/count"},
            "revalidate": {"$ref": "#/$defs/count"},
            "place": {"$ref": "#/$defs/count"},
            "keep": {"$ref": "#/$defs/count"},
            "skip": {"$ref": "#/$defs/count"},
            "conflicts": {"$ref": "#/$defs/count"},
            "bytes": {"$ref": "#/$defs/count"},
            "transferBytes": {"$ref": "#/$defs/count"},
            "unknownSizes": {"$ref": "#/$defs/count"}
          }
        },
        "files": {"type": "array", "items": {"$ref": "#/$defs/file"}}
      },
      "$defs": {
        "file": {
          "type": "object",
          "required": ["id", "namespace", "type", "action", "reason", "url", "bytes", "resumedBytes", "destination", "source", "warnings", "error"],
          "properties": {
    \(SchemaPart.entryProperties)
            "bytes": {"type": ["integer", "null"], "minimum": 0, "description": "null where it is not known."}
          }
        },
    \(SchemaPart.definitions)
      }
    }

    """
}
