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
      self.init(.diskFull, message)
    case EACCES, EPERM:
      self.init(.permissionDenied, message)
    case EROFS:
      self.init(.cacheUnwritable, message)
    case EMFILE, ENFILE:
      self.init(.tooManyOpenFiles, message + "; raise `ulimit -n` or lower `--jobs`")
    default:
      self.init(.io, message)
    }
  }
}
