import BulkgetKit
import Synchronization

/// Brings a run's events to whoever listens. A run is made before its listener, and tells nothing until it is carried out.
final class EventRelay: Sendable {
  /// A closure that stood in the mutex by itself would be wrapped once more by each access, without end.
  private struct Listener {
    var tell: (@Sendable (RunEvent) -> Void)?
  }

  private let listener = Mutex(Listener())

  func listen(_ tell: @escaping @Sendable (RunEvent) -> Void) {
    listener.withLock { $0.tell = tell }
  }

  func tell(_ event: RunEvent) {
    listener.withLock { $0.tell }?(event)
  }
}
