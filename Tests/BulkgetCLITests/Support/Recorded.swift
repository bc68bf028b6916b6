import TestSupport

/// Values that closures put aside for the test to look at.
final class Recorded<Value: Sendable>: Sendable {
  private let list = Monitor<[Value]>([])

  var values: [Value] { list.withLock { $0 } }

  func append(_ value: Value) { list.withLock { $0.append(value) } }
}
