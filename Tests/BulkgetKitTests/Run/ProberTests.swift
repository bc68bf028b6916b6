import Dispatch
import TestSupport
import Testing

@testable import BulkgetKit

/// How many questions are asked at once, without a network.
@Suite(.timeLimit(.minutes(1))) struct ProberTests {
  @Test(arguments: [
    (jobs: 3, limit: nil, bound: 3), (jobs: 16, limit: 2, bound: 2), (jobs: 2, limit: 5, bound: 2),
  ])
  func jobsAndHostBoundWhatIsAskedAtOnce(jobs: Int, limit: Int?, bound: Int) async throws {
    let order = try Download.Order.sample("http://a/x")
    let orders = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, order) })
    let transport = HesitantTransport(patience: bound, total: orders.count)
    let prober = Prober(
      orders, transport, jobs: jobs, governor: HostGovernor(jobs: jobs, limit: limit))
    let results = await prober.results()
    #expect(results.count == 20 && results.values.allSatisfy { $0.byteCount == 5 })
    #expect(transport.maximumWaiting == bound)
  }
}

/// Lets the first request go unanswered until `patience` of them wait, or none is left to come.
private final class HesitantTransport: Transferring {
  private struct State {
    var waiting: [any TransferReceiver] = []
    var startedCount = 0
    var maximumWaiting = 0
  }

  private let patience: Int
  private let total: Int
  private let state = Monitor(State())
  private let queue = DispatchQueue(label: "answers")

  init(patience: Int, total: Int) {
    self.patience = patience
    self.total = total
  }

  var maximumWaiting: Int { state.withLock { $0.maximumWaiting } }

  func start(_ request: TransferRequest, receiver: any TransferReceiver) -> TransferID {
    state.withLock {
      $0.waiting.append(receiver)
      $0.startedCount += 1
      $0.maximumWaiting = max($0.maximumWaiting, $0.waiting.count)
    }
    queue.async { self.answer() }
    return TransferID(number: 0)
  }

  private func answer() {
    let receivers = state.withLock { state -> [any TransferReceiver] in
      if state.startedCount == total {
        defer { state.waiting = [] }
        return state.waiting
      }
      return state.waiting.count >= patience ? [state.waiting.removeFirst()] : []
    }
    for receiver in receivers {
      let length = HeaderField(name: "Content-Length", value: "5")
      _ = receiver.transferReceivedHead(ResponseHead(status: 200, fields: [length]))
      receiver.transferEnded(.stopped)
    }
  }

  func proceed(_ id: TransferID) {}
  func cancel(_ id: TransferID) {}
  func stop() {}
}
