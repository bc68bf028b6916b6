/// Everything that was measured for one scenario.
struct ScenarioResult: Codable, Sendable {
  /// One contender's samples, in the order of the rounds.
  struct Row: Codable, Sendable {
    let contender: String
    var samples: [Sample] = []
  }

  let scenario: String
  let summary: String
  let fileCount: Int
  let byteCount: Int64
  private(set) var rows: [Row]

  init(_ scenario: Scenario, _ files: [ServedFile], _ contenders: [Contender]) {
    self.scenario = scenario.name
    summary = scenario.summary
    fileCount = files.count
    byteCount = files.reduce(0) { $0 + $1.byteCount }
    rows = contenders.map { Row(contender: $0.name) }
  }

  mutating func add(_ sample: Sample, of contender: Contender) {
    guard let index = rows.firstIndex(where: { $0.contender == contender.name }) else { return }
    rows[index].samples.append(sample)
  }

  var hasFailures: Bool { rows.contains { $0.failure != nil } }

  /// bulkget's time divided by a row's: below 1, bulkget is faster. Nil where one of them has none, and for bulkget itself.
  func ratio(to row: Row) -> Double? {
    let bulkget = rows.first { $0.contender == Tool.bulkget.rawValue }
    guard row.contender != Tool.bulkget.rawValue, let own = bulkget?.wallSeconds,
      let other = row.wallSeconds, other > 0
    else { return nil }
    return own / other
  }
}

extension ScenarioResult.Row {
  private var counted: [Sample] { samples.filter(\.isCounted) }

  /// The first failure, of the round that doesn't count too: a wrong output is wrong in any round.
  var failure: String? { samples.lazy.compactMap(\.failure).first }

  /// The median of the rounds that count; nil where any output was wrong.
  var wallSeconds: Double? { failure == nil ? counted.map(\.wallSeconds).median : nil }
  var processorSeconds: Double? { failure == nil ? counted.map(\.processorSeconds).median : nil }
  /// The most memory of all rounds that count, in bytes.
  var peakMemory: Int? { failure == nil ? counted.map(\.peakMemory).max() : nil }
}

extension [Double] {
  /// The middle one, or the mean of the two in the middle; nil where there are none.
  var median: Double? {
    if isEmpty { return nil }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
