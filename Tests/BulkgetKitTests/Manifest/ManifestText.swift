import BulkgetKit

/// Reads a manifest from text, as the tests of the language do.
func manifest(
  _ text: String, environment: [String: String] = [:]
) throws(ManifestError) -> Manifest {
  try manifest(Array(text.utf8), environment: environment)
}

/// Reads a manifest from bytes.
func manifest(
  _ bytes: [UInt8], environment: [String: String] = [:]
) throws(ManifestError) -> Manifest {
  let input = ManifestInput(path: "m.yaml", directory: "/base", environment: environment)
  return try Manifest(parsing: bytes, input)
}

/// Reads the one entry of a manifest that has nothing but the given lines in it, besides an id and a URL where the lines
/// have none.
func entry(
  _ keys: String, environment: [String: String] = [:]
) throws(ManifestError) -> Entry {
  try manifest(entryText(keys), environment: environment).entries[0]
}

/// A manifest of one entry with an id, a URL and the given lines.
func entryText(_ keys: String) -> String {
  let lines = keys.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
  let isWithoutURL = !keys.contains("url: ") && !keys.contains("urls:")
  return "files:\n  - id: a\n" + (isWithoutURL ? "    url: https://example.org/x.bin\n" : "")
    + lines
}

/// What is wrong with a manifest, each as `line:column message`; empty where nothing is.
func problems(_ text: String, environment: [String: String] = [:]) -> [String] {
  problems(Array(text.utf8), environment: environment)
}

/// What is wrong with the bytes of a manifest.
func problems(_ bytes: [UInt8], environment: [String: String] = [:]) -> [String] {
  do throws(ManifestError) {
    _ = try manifest(bytes, environment: environment)
    return []
  } catch {
    return error.problems.map { "\($0.line):\($0.column) \($0.message)" }
  }
}

/// The hints that a manifest's problems come with.
func hints(_ text: String, environment: [String: String] = [:]) -> [String] {
  do throws(ManifestError) {
    _ = try manifest(text, environment: environment)
    return []
  } catch {
    return error.problems.compactMap(\.hint)
  }
}

/// All that is printed about a manifest.
func errorText(_ text: String, environment: [String: String] = [:]) -> String {
  errorText(Array(text.utf8), environment: environment)
}

/// All that is printed about the bytes of a manifest.
func errorText(_ bytes: [UInt8], environment: [String: String] = [:]) -> String {
  do throws(ManifestError) {
    _ = try manifest(bytes, environment: environment)
    return ""
  } catch {
    return error.description
  }
}
