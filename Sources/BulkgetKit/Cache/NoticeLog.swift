import Synchronization

/// Warnings that wait for somebody to show them.
final class NoticeLog: Sendable {
  private let notices = Mutex<[Notice]>([])

  func add(_ code: String, _ message: String) {
    notices.withLock { $0.append(Notice(code: code, message: message)) }
  }

  /// Gives the warnings since the last time.
  func take() -> [Notice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
