/// Results as a table, for a terminal or for a document.
struct ResultTable: Sendable {
  private let rows: [[String]]

  static let header = ["work", "program", "time", "bulkget ÷ it", "processor", "memory", "output"]

  init(_ results: [ScenarioResult]) {
    rows = results.flatMap { result in
      result.rows.enumerated().map { index, row in
        (index == 0 ? ["\(result.scenario): \(result.summary)"] : [""]) + Self.cells(row, result)
      }
    }
  }

  private static func cells(_ row: ScenarioResult.Row, _ result: ScenarioResult) -> [String] {
    [
      row.contender,
      row.wallSeconds.map { $0.decimal(places: 2) + " s" } ?? "",
      result.ratio(to: row)?.decimal(places: 2) ?? "",
      row.processorSeconds.map { $0.decimal(places: 2) + " s" } ?? "",
      row.peakMemory.map { "\($0 / 1_000_000) MB" } ?? "",
      row.failure.map { "FAILED: \($0)" } ?? "right",
    ]
  }

  /// Columns of one width each.
  var text: String {
    let all = [Self.header] + rows
    let widths = Self.header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = cells.joined(separator: "  ")
      return line.prefix(line.count - line.reversed().prefix { $0 == " " }.count) + "\n"
    }.joined()
  }

  /// Lines as Markdown has them.
  var markdown: String {
    let rule = Self.header.map { _ in "---" }
    return ([Self.header, rule] + rows).map { row in
      let cells = row.map { $0.replacing("|", with: "\\|") }
      return "| " + cells.joined(separator: " | ") + " |\n"
    }.joined()
  }
}

extension Double {
  /// With so many digits after the point, rounded.
  func decimal(places: Int) -> String {
    let unit = (0..<places).reduce(1) { product, _ in product * 10 }
    let number = Int((self * Double(unit)).rounded())
    let fraction = String(number % unit)
    return "\(number / unit)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
