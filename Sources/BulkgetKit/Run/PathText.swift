import BulkgetSystem

/// Paths as texts: taking apart, putting together, and what they really are.
enum PathText {
  /// The absolute path with the symbolic links of what exists resolved; what doesn't exist is kept as it is.
  static func resolved(_ path: String) -> String {
    if let canonical = FileSystem.canonicalPath(of: path) { return canonical }
    let parent = FileSystem.parentDirectory(of: path)
    if parent == path { return path }
    return joined(resolved(parent), split(Substring(path)).name)
  }

  static func joined(_ directory: String, _ name: Substring) -> String {
    directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// The text before the last slash, empty where there is none, and the text after it.
  static func split(_ path: Substring) -> (parent: Substring, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (path[..<slash], path[path.utf8.index(after: slash)...])
  }
}
