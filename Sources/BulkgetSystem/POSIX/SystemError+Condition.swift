#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What callers above this target tell apart, without the C library's names.
extension SystemError {
  /// The disk is full.
  package static func noSpace(_ path: String) -> SystemError {
    SystemError("write", path, code: ENOSPC)
  }

  /// There is nothing at the path.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// There is something at the path already.
  package var isAlreadyThere: Bool { code == EEXIST }
  /// This process may not do that there.
  package var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }
  /// A directory is in the way.
  package var isDirectoryInTheWay: Bool {
    code == EISDIR || code == ENOTEMPTY || code == EEXIST
  }
  /// This file can't get another name there, but could be copied.
  package var saysLinkIsImpossible: Bool {
    [EMLINK, EXDEV, EPERM, EACCES, ENOSYS, EOPNOTSUPP, ENOTSUP].contains(code)
  }
}
