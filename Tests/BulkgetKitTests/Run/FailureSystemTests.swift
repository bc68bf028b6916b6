import BulkgetSystem
import Foundation
import Testing

@testable import BulkgetKit

/// What a refused system call is called in the report, and what the user is told to do.
@Suite struct FailureSystemTests {
  private static let cases: [(CInt, Failure.Code, String)] = [
    (ENOSPC, .diskFull, "free space"), (EDQUOT, .diskFull, "free space"),
    (EACCES, .permissionDenied, "permissions"), (EPERM, .permissionDenied, "permissions"),
    (EROFS, .cacheUnwritable, "`--cache`"), (EMFILE, .tooManyOpenFiles, "`ulimit -n`"),
    (ENFILE, .tooManyOpenFiles, "`--jobs`"), (EFBIG, .io, "`ulimit -f`"),
    (EXDEV, .io, "one file system"),
  ]

  @Test(arguments: cases)
  func aRefusalNamesActionThingAndWayOut(code: CInt, name: Failure.Code, wayOut: String) {
    let error = SystemError("create", "/c/x", code: code)
    for failure in [Failure(error), Failure(CacheError(error))] {
      #expect(failure.code == name)
      #expect(failure.message.hasPrefix("cannot create `/c/x`: "))
      #expect(failure.message.contains("; "))
      #expect(failure.message.contains(wayOut))
    }
  }
}
