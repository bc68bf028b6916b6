import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Looks at destinations and remembers their directories.
///
/// A value: a copy that has looked at nothing yet knows where output directory and reserved paths really are, which takes a
/// system call for each part of each path, and may look at one destination after the other, each time anew.
struct DestinationObserver: Sendable {
  private typealias Obstacle = DestinationSnapshot.Obstacle

  /// A directory below the output directory.
  private struct Directory: Sendable {
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

  /// The observer of what a run or a plan places.
  init(_ configuration: Configuration) {
    self.init(
      outputDirectory: configuration.outputDirectory,
      reserved: configuration.reservedPaths + [configuration.cacheDirectory]
        + configuration.readCaches,
      readsLinks: configuration.linkMode == .symlink)
  }

  private static func root(_ path: String, reserved: ReservedPaths) -> Directory {
    var directory = Directory(path: PathText.resolved(path))
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
        if kind != nil { return obstacle(ofMakingFilesIn: path) }
        let parent = FileSystem.parentDirectory(of: path)
        if parent == path { return .unwritable(directory: path) }
        path = parent
      }
    } catch {
      return Obstacle(error)
    }
  }

  private static func obstacle(ofMakingFilesIn path: String) -> Obstacle? {
    FileSystem.isWritable(path) ? nil : .unwritable(directory: path)
  }

  mutating func place(at destination: DestinationPath) -> DestinationSnapshot.Place {
    let (parent, name) = PathText.split(Substring(destination.description))
    let directory = directory(parent)
    let path = PathText.joined(directory.path, name)
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
    let (parent, name) = PathText.split(relative)
    let found = child(name, of: directory(parent))
    directories[relative] = found
    return found
  }

  private func child(_ name: Substring, of parent: Directory) -> Directory {
    var child = parent
    child.path = PathText.joined(parent.path, name)
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
      case .directory: directory.obstacle = Self.obstacle(ofMakingFilesIn: directory.path)
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
    directory.obstacle = Self.obstacle(ofMakingFilesIn: target)
  }
}

extension DestinationSnapshot.Obstacle {
  /// The system's refusal to examine a path.
  fileprivate init(_ error: SystemError) {
    let isPermission = error.code == EACCES || error.code == EPERM
    self = .unreadable(message: error.description, isPermission: isPermission)
  }
}
