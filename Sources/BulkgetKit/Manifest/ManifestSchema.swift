/// The JSON Schema of the manifest language, for editors and other tools.
public enum ManifestSchema {
  /// The schema (draft 2020-12) as JSON text. What no schema can say, such as that ids are unique, is left to bulkget.
  public static let text = template.split(separator: "RESERVED_HEADERS").joined(
    separator: reservedHeaders)

  /// The names of headers that can't be set, in either case: patterns of JSON Schema have no flag for that.
  private static let reservedHeaders = HeaderField.reservedNames.sorted().map { name in
    name.map { $0.isLetter ? "[\($0.uppercased())\($0)]" : String($0) }.joined()
  }.joined(separator: "|")

  private static let template = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "bulkget manifest",
      "description": "The files that bulkget fetches, verifies and places.",
      "type": "object",
      "required": ["files"],
      "additionalProperties": false,
      "patternProperties": {"^x-": true},
      "properties": {
        "$schema": true,
        "version": {"description": "The version of the manifest language.", "enum": [1, "1"]},
        "namespace": {
          "description": "Ids are unique inside a namespace; `default` if absent.",
          "type": ["string", "number"],
          "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"
        },
        "variables": {
          "description": "Texts that `${name}` stands for. A variable sees those above it.",
          "type": ["object", "null"],
          "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_.-]*$"},
          "additionalProperties": {"$ref": "#/$defs/text"}
        },
        "defaults": {
          "description": "Values for entries that don't give their own.",
          "type": ["object", "null"],
          "additionalProperties": false,
          "patternProperties": {"^x-": true},
          "properties": {
            "type": {"$ref": "#/$defs/type"},
            "executable": {"$ref": "#/$defs/flag"},
            "optional": {"$ref": "#/$defs/flag"},
            "freshness": {"$ref": "#/$defs/freshness"},
            "headers": {"$ref": "#/$defs/headers"},
            "tags": {"$ref": "#/$defs/tags"},
            "platforms": {"$ref": "#/$defs/platforms"},
            "priority": {"$ref": "#/$defs/priority"}
          }
        },
        "hosts": {
          "description": "Settings and credentials by `host` or `host:port`.",
          "type": ["object", "null"],
          "additionalProperties": {"$ref": "#/$defs/host"}
        },
        "files": {"type": "array", "items": {"$ref": "#/$defs/entry"}}
      },
      "$defs": {
        "text": {"type": ["string", "number", "boolean"]},
        "template": {"type": "string", "pattern": "\\$\\{"},
        "flag": {
          "anyOf": [
            {"enum": [true, false, "true", "false", null]},
            {"$ref": "#/$defs/template"}
          ]
        },
        "type": {
          "description": "The file's type as an extension.",
          "anyOf": [
            {"type": "string", "pattern": "^\\.?[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$"},
            {"type": ["number", "boolean", "null"]},
            {"$ref": "#/$defs/template"}
          ]
        },
        "freshness": {
          "description": "When the server is asked whether the cached file is still right.",
          "anyOf": [
            {"enum": ["immutable", "revalidate", null]},
            {"type": "string", "pattern": "^[0-9]{1,9}[smhd]$"},
            {"$ref": "#/$defs/template"}
          ]
        },
        "headers": {
          "description": "Header fields sent only to the origins of the entry's own URLs.",
          "type": ["object", "null"],
          "propertyNames": {"$ref": "#/$defs/headerName"},
          "additionalProperties": {"$ref": "#/$defs/text"}
        },
        "headerName": {
          "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          "not": {"pattern": "^(RESERVED_HEADERS)$"}
        },
        "tags": {
          "description": "Words to choose entries by.",
          "type": ["array", "null"],
          "items": {"anyOf": [{"type": "string", "minLength": 1}, {"type": ["number", "boolean"]}]}
        },
        "platforms": {
          "description": "The platforms the entry is for, in OCI's words; none for all.",
          "type": ["array", "null"],
          "items": {
            "anyOf": [
              {"type": "string", "pattern": "^[a-z0-9._-]+/[a-z0-9._-]+$"},
              {"$ref": "#/$defs/template"}
            ]
          }
        },
        "priority": {
          "description": "Higher starts earlier.",
          "anyOf": [
            {"type": "integer", "minimum": -1000000, "maximum": 1000000},
            {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)$"},
            {"type": "null"},
            {"$ref": "#/$defs/template"}
          ]
        },
        "host": {
          "type": ["object", "null"],
          "additionalProperties": false,
          "patternProperties": {"^x-": true},
          "properties": {
            "auth": {"$ref": "#/$defs/auth"},
            "connections": {
              "description": "The most connections to this host at once.",
              "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 1024},
                {"type": "string", "pattern": "^[1-9][0-9]*$"},
                {"$ref": "#/$defs/template"}
              ]
            },
            "allow-http": {
              "description": "Sends the credential over plain http, too.",
              "$ref": "#/$defs/switch"
            }
          }
        },
        "switch": {
          "anyOf": [{"enum": [true, false, "true", "false"]}, {"$ref": "#/$defs/template"}]
        },
        "auth": {
          "description": "How to show who is asking: `bearer`, `user` and `password`, or `header`.",
          "type": "object",
          "additionalProperties": false,
          "patternProperties": {"^x-": true},
          "properties": {
            "bearer": {"$ref": "#/$defs/text"},
            "user": {"$ref": "#/$defs/text"},
            "password": {"$ref": "#/$defs/text"},
            "header": {
              "type": "object",
              "minProperties": 1,
              "maxProperties": 1,
              "propertyNames": {"$ref": "#/$defs/headerName"},
              "additionalProperties": {"$ref": "#/$defs/text"}
            },
            "allow-http": {"$ref": "#/$defs/switch"}
          },
          "oneOf": [{"required": ["bearer"]}, {"required": ["user"]}, {"required": ["header"]}],
          "dependentRequired": {"password": ["user"]}
        },
        "url": {
          "description": "An `https`, `http` or `file` URL, or a path relative to the manifest.",
          "type": "string",
          "minLength": 1
        },
        "entry": {
          "type": "object",
          "required": ["id"],
          "additionalProperties": false,
          "patternProperties": {"^x-": true},
          "properties": {
            "id": {
              "description": "What names the file: the text exactly as written.",
              "anyOf": [
                {"type": "string", "minLength": 1, "maxLength": 1024, "pattern": "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"},
                {"type": ["number", "boolean"]}
              ]
            },
            "url": {"$ref": "#/$defs/url"},
            "urls": {
              "description": "Mirrors, tried in order.",
              "type": "array",
              "minItems": 1,
              "items": {"$ref": "#/$defs/url"}
            },
            "type": {"$ref": "#/$defs/type"},
            "sha256": {"$ref": "#/$defs/sha256"},
            "sha512": {"$ref": "#/$defs/sha512"},
            "sha384": {"$ref": "#/$defs/sha384"},
            "sha1": {"$ref": "#/$defs/sha1"},
            "md5": {"$ref": "#/$defs/md5"},
            "integrity": {
              "description": "Subresource Integrity text; the strongest algorithm decides.",
              "type": "string",
              "minLength": 1
            },
            "size": {
              "description": "The exact size in bytes.",
              "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
                {"$ref": "#/$defs/template"}
              ]
            },
            "dest": {
              "description": "The path below the output directory; `dir/` takes the URL's last part.",
              "type": ["string", "number", "boolean"],
              "minLength": 1,
              "not": {"type": "string", "pattern": "^/|^\\.$|(^|/)\\.\\.(/|$)"}
            },
            "executable": {"$ref": "#/$defs/flag"},
            "optional": {"$ref": "#/$defs/flag"},
            "freshness": {"$ref": "#/$defs/freshness"},
            "headers": {"$ref": "#/$defs/headers"},
            "tags": {"$ref": "#/$defs/tags"},
            "platforms": {"$ref": "#/$defs/platforms"},
            "priority": {"$ref": "#/$defs/priority"}
          },
          "oneOf": [{"required": ["url"]}, {"required": ["urls"]}]
        },
        "sha256": {"anyOf": [{"type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{64}$"}, {"$ref": "#/$defs/template"}]},
        "sha512": {"anyOf": [{"type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{128}$"}, {"$ref": "#/$defs/template"}]},
        "sha384": {"anyOf": [{"type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{96}$"}, {"$ref": "#/$defs/template"}]},
        "sha1": {"anyOf": [{"type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{40}$"}, {"$ref": "#/$defs/template"}]},
        "md5": {"anyOf": [{"type": ["string", "number"], "pattern": "^[0-9A-Fa-f]{32}$"}, {"$ref": "#/$defs/template"}]}
      }
    }
    """#
}
