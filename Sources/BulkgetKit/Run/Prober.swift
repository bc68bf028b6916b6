import BulkgetSystem
import Foundation
import Synchronization

/// Asks servers about many files at once, within the bounds of all jobs and of each host.
final class Prober: Sendable {
  private struct State {
    var feeder: Feeder
    var runningCount = 0
    var results: [Int: ProbeResult] = [:]
    var unfinishedCount: Int
    var completion: CheckedContinuation<[Int: ProbeResult], Never>?
  }

  private let orders: [Int: Download.Order]
  private let transport: any Transferring
  private let jobs: Int
  private let state: Mutex<State>

  /// The orders are by step.
  init(
    _ orders: [Int: Download.Order], _ transport: any Transferring, jobs: Int,
    governor: HostGovernor
  ) {
    self.orders = orders
    self.transport = transport
    self.jobs = jobs
    var feeder = Feeder(governor)
    for (step, order) in orders {
      let host = order.entry.sources.first?.hostName
      feeder.add(Feeder.Item(step: step, priority: order.entry.priority, host: host))
    }
    state = Mutex(State(feeder: feeder, unfinishedCount: orders.count))
  }

  /// Asks. Returns when there is a result for every order.
  func results() async -> [Int: ProbeResult] {
    if orders.isEmpty { return [:] }
    return await withCheckedContinuation { continuation in
      state.withLock { $0.completion = continuation }
      startMore()
    }
  }

  private func startMore() {
    let items = state.withLock { state -> [Feeder.Item] in
      var items: [Feeder.Item] = []
      while state.runningCount < jobs, let item = state.feeder.next(at: .now) {
        state.runningCount += 1
        items.append(item)
      }
      return items
    }
    for item in items {
      guard let order = orders[item.step] else { continue }
      ProbeTask(Probe(order), transport) { self.finish(item, $0) }.start()
    }
  }

  private func finish(_ item: Feeder.Item, _ result: ProbeResult) {
    let (completion, results) = state.withLock { state in
      state.results[item.step] = result
      state.runningCount -= 1
      state.unfinishedCount -= 1
      state.feeder.release(item)
      return (state.unfinishedCount == 0 ? state.completion : nil, state.results)
    }
    if let completion { completion.resume(returning: results) } else { startMore() }
  }
}

/// Performs what one ``Probe`` decides. Kept alive by the transport, which holds its receivers.
private final class ProbeTask: TransferReceiver {
  private let machine: Mutex<Probe>
  private let transport: any Transferring
  private let finish: @Sendable (ProbeResult) -> Void

  init(
    _ machine: Probe, _ transport: any Transferring,
    _ finish: @escaping @Sendable (ProbeResult) -> Void
  ) {
    self.machine = Mutex(machine)
    self.transport = transport
    self.finish = finish
  }

  func start() { send(.start) }

  private func send(_ event: Probe.Event) {
    for action in machine.withLock({ $0.handle(event) }) {
      switch action {
      case .send(let request): _ = transport.start(request, receiver: self)
      case .finish(let result): finish(result)
      case .hangUp: break
      }
    }
  }

  func transferReceivedHead(_ head: ResponseHead) -> Bool {
    send(.head(head))
    return false
  }

  func transferReceivedBody(_ bytes: RawSpan) -> BodyVerdict { .stop }

  func transferEnded(_ fault: TransferFault?) { send(.ended(fault)) }
}
