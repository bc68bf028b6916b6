import Synchronization

/// How many bytes the values of one manifest may still expand to, for all threads that read its entries.
final class ExpansionBudget: Sendable {
  /// What became of a request.
  enum Answer {
    case granted
    /// Refused, as the first one: the limit is reached here.
    case exceeded
    /// Refused, as another one was before.
    case usedUp
  }

  private let limit: Int
  private let used = Mutex(0)

  init(byteCount: Int) { limit = byteCount }

  /// Asks for room.
  func take(_ byteCount: Int) -> Answer {
    used.withLock { used in
      if used > limit { return .usedUp }
      used += byteCount
      return used > limit ? .exceeded : .granted
    }
  }
}
