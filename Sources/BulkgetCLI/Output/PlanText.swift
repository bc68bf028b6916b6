import BulkgetKit
import BulkgetSystem

/// A plan as lines for people: sign, id, type, size, action and reason in columns, then a summary.
struct PlanText: Sendable {
  let palette: Palette
  /// Also shows what is kept or skipped, and the URLs.
  let isVerbose: Bool

  /// One line, still without its widths.
  private struct Row {
    var id: String
    var type: String
    var size: String
    var reason: String
  }

  /// The widths of the columns.
  private struct Widths {
    var id = 0
    var type = 0
    var size = 0
    var reason = 0

    /// A column wider than this is not worth the room; the few longer texts stick out.
    private static let maximum = 48

    mutating func make(roomFor row: Row) {
      id = min(Self.maximum, max(id, DisplayWidth.columns(of: row.id)))
      type = max(type, row.type.utf8.count)
      size = max(size, row.size.utf8.count)
      reason = max(reason, row.reason.utf8.count)
    }
  }

  /// Writes the whole plan.
  func write(_ plan: Plan, to buffer: inout OutputBuffer) throws(StreamError) {
    var widths = Widths()
    var isEmpty = true
    for step in plan.steps where isShown(step) { widths.make(roomFor: row(step)) }
    for step in plan.steps where isShown(step) {
      try buffer.write(line: line(step, widths))
      isEmpty = false
    }
    if !isEmpty { try buffer.write(line: "") }
    try buffer.write(line: PlanSummary(plan).text(palette))
  }

  private func isShown(_ step: Step) -> Bool {
    isVerbose || step.conflict != nil || step.action != .keep && step.action != .skip
  }

  private func row(_ step: Step) -> Row {
    let isPartial = step.action == .resume
    let reason = step.reason.rawValue + (isPartial ? " (from byte \(step.resumedByteCount))" : "")
    return Row(
      id: PrintableText.escaped(step.entry.key.id), type: step.entry.type?.description ?? "-",
      size: ByteCountText.human(step.byteCount),
      reason: step.conflict?.code.rawValue ?? reason)
  }

  private func line(_ step: Step, _ widths: Widths) -> String {
    let row = row(step)
    let style = step.conflict == nil ? step.action.style : .boldRed
    var line = palette.paint(step.sign, style) + " "
    line += DisplayWidth.padded(row.id, to: widths.id) + "  "
    line += DisplayWidth.padded(row.type, to: widths.type) + "  "
    line += DisplayWidth.leftPadded(row.size, to: widths.size) + "  "
    let action = step.conflict == nil ? step.action.rawValue : "fail"
    line += palette.paint(DisplayWidth.padded(action, to: 10), style) + "  "
    guard let note = note(step) else { return line + row.reason }
    return line + DisplayWidth.padded(row.reason, to: widths.reason) + "  " + note
  }

  /// What stands behind the columns: why a step can't succeed, else where the bytes come from.
  private func note(_ step: Step) -> String? {
    if let conflict = step.conflict { return PrintableText.escaped(conflict.message) }
    if !isVerbose { return nil }
    return palette.paint(PrintableText.escaped(step.entry.firstSource), .dim)
  }
}

extension Step {
  /// The sign in front of a line: `!` where it is known that the step will fail.
  fileprivate var sign: String { conflict == nil ? action.sign : "!" }
}

extension Step.Action {
  fileprivate var sign: String {
    switch self {
    case .download: "+"
    case .resume: ">"
    case .rehash: "~"
    case .revalidate: "?"
    case .place: "*"
    case .keep: "="
    case .skip: "."
    }
  }

  fileprivate var style: Style {
    switch self {
    case .download: .green
    case .resume: .cyan
    case .rehash, .revalidate: .yellow
    case .place: .blue
    case .keep, .skip: .dim
    }
  }
}

extension Entry {
  /// Where the bytes are asked for first, fit to be shown.
  fileprivate var firstSource: String {
    switch sources.first {
    case .remote(let url): url.redacted
    case .local(let path): path
    case nil: ""
    }
  }
}
