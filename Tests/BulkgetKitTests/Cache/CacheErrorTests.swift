import BulkgetSystem
import Testing

@testable import BulkgetKit

@Suite struct CacheErrorTests {
  @Test(
    arguments: [
      (
        CacheError.unusable(directory: "/c", reason: "it is no directory"),
        "cannot use `/c` as the cache: it is no directory",
        "choose another directory with `--cache`"
      ),
      (
        .newerFormat(path: "/c/index.sqlite", found: 3, supported: 1),
        "the cache's index `/c/index.sqlite` has format 3, this version of bulkget knows format 1",
        "update bulkget, or choose another directory with `--cache`"
      ),
      (
        .unwritable(path: "/c/x"), "the cache is read-only: cannot write `/c/x`",
        "choose another directory with `--cache`"
      ),
      (
        .busy(path: "/c/i"),
        "other processes kept the cache's index `/c/i` locked for too long", "run the command again"
      ),
      (
        .index(path: "/c/i", reason: "disk I/O error"),
        "cannot use the cache's index `/c/i`: disk I/O error", nil
      ),
      (
        .system(action: "rename to /b", path: "/a", code: 28),
        "cannot rename to /b `/a`: No space left on device", nil
      ),
      (.changed(path: "/a"), "`/a` changed while it was read", nil),
      (.notAFile(path: "/a"), "`/a` is no regular file", nil),
      (.digestUnavailable("md5"), "the cryptographic library offers no md5", nil),
      (.cancelled, "cancelled", nil),
    ] as [(CacheError, String, String?)])
  func theMessageSaysWhatWhereAndWhatToDo(error: CacheError, message: String, hint: String?) {
    #expect(error.description == message)
    #expect(error.hint == hint)
  }

  @Test(arguments: [
    (Int32(5), CacheError.busy(path: "/i")),
    (8, .unwritable(path: "/i")),
    (13, .system(action: "write", path: "/i", code: 28)),
    (10, .index(path: "/i", reason: "words")),
  ])
  func anErrorOfTheDatabaseBecomesOneOfTheCache(code: Int32, error: CacheError) {
    #expect(CacheError(SQLiteError(path: "/i", code: code, message: "words")) == error)
  }
}
