import TestSupport

/// What one run of a contender cost, and what was wrong with it.
struct Sample: Codable, Sendable {
  /// 0 for the one that doesn't count.
  var round: Int
  var wallSeconds = 0.0
  var userSeconds = 0.0
  var systemSeconds = 0.0
  /// The most memory that one of its processes held, in bytes.
  var peakMemory = 0
  /// Why it doesn't count as done; nil where the output was right.
  var failure: String?

  init(round: Int, failure: String? = nil) {
    self.round = round
    self.failure = failure
  }

  var isCounted: Bool { round > 0 }
  var processorSeconds: Double { userSeconds + systemSeconds }

  /// Adds a process that ran after the others.
  mutating func add(_ ended: EndedProcess) {
    wallSeconds += ended.elapsedTime.inSeconds
    userSeconds += ended.userTime.inSeconds
    systemSeconds += ended.systemTime.inSeconds
    peakMemory = max(peakMemory, ended.peakMemory)
  }
}

extension Duration {
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
