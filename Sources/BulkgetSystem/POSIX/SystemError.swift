#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A call to the operating system that failed: what was tried, on which path, and the error's number.
///
/// Every file-system call of the project goes through this one funnel, so that no message lacks its path.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// What was tried, as a verb phrase: `open`, `rename to /x`.
  package let action: String
  /// The path it was tried on.
  package let path: String
  /// The value of `errno`.
  package let code: CInt

  package init(_ action: String, _ path: String, code: CInt) {
    self.action = action
    self.path = path
    self.code = code
  }

  package var description: String {
    "cannot \(action) `\(path)`: \(String(cString: strerror(code)))"
  }
}

/// Calls `body` again for as long as a signal interrupts it, and turns -1 into an error.
@discardableResult
package func systemCall<Result: SignedInteger>(
  _ action: @autoclosure () -> String, _ path: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemError(action(), path(), code: code) }
  }
}
