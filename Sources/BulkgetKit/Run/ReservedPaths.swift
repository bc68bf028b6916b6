import BulkgetSystem

/// Paths that no destination may be, contain or lie in.
struct ReservedPaths: Sendable {
  private var paths: Set<String> = []
  private var ancestors: Set<String> = []

  init(_ texts: [String]) {
    for text in texts {
      // A manifest that is a symbolic link is two files: the link and what it leads to.
      let parent = PathText.resolved(FileSystem.parentDirectory(of: text))
      insert(PathText.joined(parent, PathText.split(Substring(text)).name))
      insert(PathText.resolved(text))
    }
  }

  private mutating func insert(_ path: String) {
    paths.insert(path)
    var parent = FileSystem.parentDirectory(of: path)
    while parent != "/", parent != ".", ancestors.insert(parent).inserted {
      parent = FileSystem.parentDirectory(of: parent)
    }
  }

  /// Whether a file at `path` would replace a reserved one or stand in its way; its directory is checked already.
  func touches(_ path: String) -> Bool { paths.contains(path) || ancestors.contains(path) }

  /// Whether `path` or a directory above it is reserved.
  func contains(_ path: String) -> Bool {
    var path = path
    while !paths.contains(path) {
      let parent = FileSystem.parentDirectory(of: path)
      if parent == path || parent == "." { return false }
      path = parent
    }
    return true
  }
}
