import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DestinationSnapshot {
  /// Looks at the destinations of `entries`: one look at each, and one at each parent directory.
  ///
  /// `reserved` are absolute paths that no destination may be, contain or lie in: manifests, report and cache. Where
  /// symbolic links lead is looked at only with `readsLinks`.
  public static func observing(
    entries: some Sequence<Entry>, outputDirectory: String, reserved: [String],
    readsLinks: Bool = false
  ) -> DestinationSnapshot {
    var observer = DestinationObserver(
      outputDirectory: outputDirectory, reserved: reserved, readsLinks: readsLinks)
    var snapshot = DestinationSnapshot()
    for entry in entries {
      guard let destination = entry.destination else { continue }
      let place = observer.place(at: destination)
      if place != Place() { snapshot.places[destination] = place }
    }
    return snapshot
  }
}

/// Looks at destinations and remembers their directories.
private struct DestinationObserver {
  private typealias Obstacle = DestinationSnapshot.Obstacle

  /// A directory below the output directory.
  private struct Directory {
    /// Without symbolic links, as far as it exists.
    var path: String
    var exists = true
    var obstacle: Obstacle?
  }

  private let reserved: ReservedPaths
  private var directories: [Substring: Directory]
  private let root: String
  private let readsLinks: Bool

  init(outputDirectory: String, reserved: [String], readsLinks: Bool) {
    self.readsLinks = readsLinks
    self.reserved = ReservedPaths(reserved)
    let root = Self.root(outputDirectory, reserved: self.reserved)
    self.root = root.path
    directories = ["": root]
  }

  private static func root(_ path: String, reserved: ReservedPaths) -> Directory {
    var directory = Directory(path: resolvedPath(path))
    do throws(SystemError) {
      let status = try FileSystem.status(of: directory.path, followingLinks: true)
      directory.exists = status != nil
      if let status, status.kind != .directory {
        directory.obstacle = .parentIsNoDirectory(path: path)
      } else if reserved.contains(directory.path) {
        directory.obstacle = .reserved
      } else {
        directory.obstacle = obstacle(ofMakingFilesBelow: directory.path)
      }
    } catch {
      directory.obstacle = Obstacle(error)
    }
    return directory
  }

  /// The nearest directory that exists is the one that has to be writable; a file there is no directory.
  private static func obstacle(ofMakingFilesBelow path: String) -> Obstacle? {
    var path = path
    do throws(SystemError) {
      while true {
        let kind = try FileSystem.status(of: path, followingLinks: true)?.kind
        if let kind, kind != .directory { return .parentIsNoDirectory(path: path) }
        if kind != nil { return FileSystem.isWritable(path) ? nil : .unwritable(directory: path) }
        let parent = FileSystem.parentDirectory(of: path)
        if parent == path { return .unwritable(directory: path) }
        path = parent
      }
    } catch {
      return Obstacle(error)
    }
  }

  mutating func place(at destination: DestinationPath) -> DestinationSnapshot.Place {
    let (parent, name) = split(Substring(destination.description))
    let directory = directory(parent)
    let path = joined(directory.path, name)
    if let obstacle = directory.obstacle, obstacle.isConflictWhenRight {
      return .init(obstacle: obstacle)
    }
    if reserved.touches(path) { return .init(obstacle: .reserved) }
    guard directory.exists else { return .init(obstacle: directory.obstacle) }
    do throws(SystemError) {
      guard let status = try FileSystem.status(of: path) else {
        return .init(obstacle: directory.obstacle)
      }
      switch status.kind {
      case .directory: return .init(obstacle: .directory)
      case .other: return .init(obstacle: .specialFile)
      case .file, .symbolicLink:
        var observation = FileObservation(status, isReadable: true)
        if status.kind == .symbolicLink, readsLinks {
          observation.linkTarget = FileSystem.linkTarget(of: path)
        }
        return .init(observation: observation, obstacle: directory.obstacle)
      }
    } catch {
      return .init(obstacle: Obstacle(error))
    }
  }

  private mutating func directory(_ relative: Substring) -> Directory {
    if let known = directories[relative] { return known }
    let (parent, name) = split(relative)
    let found = child(name, of: directory(parent))
    directories[relative] = found
    return found
  }

  private func child(_ name: Substring, of parent: Directory) -> Directory {
    var child = parent
    child.path = joined(parent.path, name)
    if let obstacle = parent.obstacle, obstacle.isConflictWhenRight { return child }
    if parent.exists { look(at: &child) }
    if reserved.contains(child.path) { child.obstacle = .reserved }
    return child
  }

  /// Examines a directory whose parent exists.
  private func look(at directory: inout Directory) {
    do throws(SystemError) {
      switch try FileSystem.status(of: directory.path)?.kind {
      case nil: directory.exists = false
      case .directory: directory.obstacle = Self.obstacle(ofMakingFilesBelow: directory.path)
      case .symbolicLink: try follow(&directory)
      case .file, .other: directory.obstacle = .parentIsNoDirectory(path: directory.path)
      }
    } catch {
      directory.obstacle = Obstacle(error)
    }
  }

  /// A symbolic link may lead anywhere inside the output directory.
  private func follow(_ directory: inout Directory) throws(SystemError) {
    let link = directory.path
    guard let target = FileSystem.canonicalPath(of: link),
      try FileSystem.status(of: target)?.kind == .directory
    else {
      directory.obstacle = .parentIsNoDirectory(path: link)
      return
    }
    guard target == root || target.hasPrefix(root == "/" ? "/" : root + "/") else {
      directory.obstacle = .leavesOutputDirectory(link: link)
      return
    }
    directory.path = target
    directory.obstacle = Self.obstacle(ofMakingFilesBelow: target)
  }
}

/// Paths that no destination may be, contain or lie in.
private struct ReservedPaths {
  private var paths: Set<String> = []
  private var ancestors: Set<String> = []

  init(_ texts: [String]) {
    for text in texts {
      // A manifest that is a symbolic link is two files: the link and what it leads to.
      let parent = resolvedPath(FileSystem.parentDirectory(of: text))
      insert(joined(parent, split(Substring(text)).name))
      insert(resolvedPath(text))
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

/// The absolute path with the symbolic links of what exists resolved; what doesn't exist is kept as it is.
private func resolvedPath(_ path: String) -> String {
  if let canonical = FileSystem.canonicalPath(of: path) { return canonical }
  let parent = FileSystem.parentDirectory(of: path)
  if parent == path { return path }
  return joined(resolvedPath(parent), split(Substring(path)).name)
}

private func joined(_ directory: String, _ name: Substring) -> String {
  directory == "/" ? "/\(name)" : "\(directory)/\(name)"
}

private func split(_ path: Substring) -> (parent: Substring, name: Substring) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  return (path[..<slash], path[path.utf8.index(after: slash)...])
}

extension DestinationSnapshot.Obstacle {
  /// The system's refusal to examine a path.
  fileprivate init(_ error: SystemError) {
    let isPermission = error.code == EACCES || error.code == EPERM
    self = .unreadable(message: error.description, isPermission: isPermission)
  }
}
