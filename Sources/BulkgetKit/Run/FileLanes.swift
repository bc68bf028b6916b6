import Foundation

/// A few serial queues that small files share.
///
/// A queue for each file would wake another thread for each; on a lane, one thread goes from file to file while there
/// are any. One core is left to the transfers.
struct FileLanes: Sendable {
  private let queues: [DispatchQueue]
  /// For work that takes microseconds: it shares the first lane's thread.
  let operations: DispatchQueue

  init(cores: Int = ProcessInfo.processInfo.activeProcessorCount) {
    queues = (0..<max(1, min(cores - 1, 8))).map { DispatchQueue(label: "files \($0)") }
    operations = DispatchQueue(label: "operations", target: queues[0])
  }

  /// The lane of a step.
  subscript(step: Int) -> DispatchQueue { queues[step % queues.count] }
}
