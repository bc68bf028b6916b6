/// Which download starts next: a pure queue ordered by priority, with what waits for a time or for its host.
///
/// Each host has a line of its own, and only the lines' heads compete, so that a host without room costs nothing however
/// long its line is. It never holds more than step numbers, so that memory doesn't grow with what a download needs
/// while it runs.
struct Feeder: Sendable {
  /// What the order depends on.
  struct Item: Hashable, Comparable, Sendable {
    var step: Int
    var priority: Int
    /// The host that the step asks first; nil for local sources.
    var host: String?

    static func < (left: Self, right: Self) -> Bool {
      left.priority != right.priority ? left.priority > right.priority : left.step < right.step
    }
  }

  private struct Waiting: Comparable, Sendable {
    var due: ContinuousClock.Instant
    var item: Item

    static func < (left: Self, right: Self) -> Bool { left.due < right.due }
  }

  private struct Rest: Comparable, Sendable {
    var end: ContinuousClock.Instant
    var host: String

    static func < (left: Self, right: Self) -> Bool { left.end < right.end }
  }

  private var lines: [String?: Heap<Item>] = [:]
  /// Of each line that may go on the head is here; others may be too, and are recognised by not being heads.
  private var heads = Heap<Item>()
  private var waiting = Heap<Waiting>()
  private var rests = Heap<Rest>()
  private var governor: HostGovernor

  init(_ governor: HostGovernor) {
    self.governor = governor
  }

  /// Lines an item up.
  mutating func add(_ item: Item) {
    lines[item.host, default: Heap()].insert(item)
    if lines[item.host]?.first == item { heads.insert(item) }
  }

  /// Lines an item up when its time has come.
  mutating func add(_ item: Item, due: ContinuousClock.Instant) {
    waiting.insert(Waiting(due: due, item: item))
  }

  /// The next item that may start now.
  mutating func next(at now: ContinuousClock.Instant) -> Item? {
    takeDue(at: now)
    while let head = heads.popFirst() {
      guard lines[head.host]?.first == head else { continue }
      // A line without room gets its head back in `offer`, when there is some.
      if let host = head.host, !governor.takePlace(at: host, now: now) { continue }
      _ = lines[head.host]?.popFirst()
      offer(head.host)
      return head
    }
    return nil
  }

  /// An item that ``next(at:)`` gave has ended or waits: its host has room again.
  mutating func release(_ item: Item) {
    guard let host = item.host else { return }
    governor.givePlaceBack(at: host)
    offer(host)
  }

  /// An item went well; call it before ``release(_:)``, which lets the host's line go on.
  mutating func noteSuccess(_ item: Item) {
    if let host = item.host { governor.noteSuccess(at: host) }
  }

  /// Nothing is asked of the host until `end`.
  mutating func calm(
    _ host: String, until end: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) {
    governor.calm(host, until: end, now: now)
    rests.insert(Rest(end: end, host: host))
  }

  /// Whether the item's host rests, so that an item that has a place already has to come back.
  func isResting(_ item: Item, at now: ContinuousClock.Instant) -> Bool {
    item.host.map { governor.isResting($0, at: now) } ?? false
  }

  /// Takes everything out.
  mutating func removeAll() -> [Item] {
    defer {
      lines = [:]
      heads = Heap()
      waiting = Heap()
    }
    return lines.values.flatMap(\.elements) + waiting.elements.map(\.item)
  }

  private mutating func takeDue(at now: ContinuousClock.Instant) {
    while let first = waiting.first, first.due <= now {
      _ = waiting.popFirst()
      add(first.item)
    }
    while let first = rests.first, first.end <= now {
      _ = rests.popFirst()
      governor.endRest(of: first.host, now: now)
      offer(first.host)
    }
  }

  /// Lets the head of a line compete.
  private mutating func offer(_ host: String?) {
    guard let line = lines[host] else { return }
    if let head = line.first { heads.insert(head) } else { lines[host] = nil }
  }
}
