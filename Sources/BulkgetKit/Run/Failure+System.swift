package import BulkgetSystem
import Foundation

extension Failure {
  /// What a refused system call is called in the report.
  package init(_ error: SystemError) {
    self.init(code: error.code, message: error.description)
  }

  /// What the cache's refusal is called in the report.
  package init(_ error: CacheError) {
    switch error {
    case .system(_, _, let code):
      self.init(code: code, message: error.description)
    case .unwritable:
      self.init(.cacheUnwritable, error.description)
    case .cancelled:
      self.init(.cancelled, "the run ended first")
    default:
      self.init(.io, error.description)
    }
  }

  private init(code: Int32, message: String) {
    switch code {
    case ENOSPC, EDQUOT:
      self.init(
        .diskFull, message + "; free space, or choose another disk with `--cache` or `--out`")
    case EACCES, EPERM:
      self.init(
        .permissionDenied,
        message + "; change its permissions, or choose another place with `--cache` or `--out`")
    case EROFS:
      self.init(.cacheUnwritable, message + "; choose another directory with `--cache`")
    case EMFILE, ENFILE:
      self.init(.tooManyOpenFiles, message + "; raise `ulimit -n` or lower `--jobs`")
    case EFBIG:
      self.init(.io, message + "; raise `ulimit -f`, or choose a file system for larger files")
    case EXDEV:
      self.init(.io, message + "; `files` and `partial` of a cache have to be on one file system")
    default:
      self.init(.io, message)
    }
  }
}
