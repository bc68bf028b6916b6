import BulkgetKit

/// How many steps of each kind a plan has, and how many bytes they are about.
struct PlanSummary: Sendable {
  /// The steps of one kind.
  private struct Tally {
    var count = 0
    var byteCount: Int64 = 0
    var resumedByteCount: Int64 = 0
    /// How many of them have a size that nobody knows yet.
    var unknownCount = 0

    mutating func add(_ step: Step) {
      count += 1
      if step.byteCount == nil { unknownCount += 1 }
      byteCount.addSaturating(step.byteCount ?? 0)
      resumedByteCount.addSaturating(step.resumedByteCount)
    }
  }

  private var tallies: [Step.Action: Tally] = [:]
  /// The steps that can't succeed; they are in no tally.
  private var conflictCount = 0

  init(_ plan: Plan) {
    for step in plan.steps {
      if step.conflict == nil {
        tallies[step.action, default: Tally()].add(step)
      } else {
        conflictCount += 1
      }
    }
  }

  /// As in `Plan: 1 will fail, 3 to download (4.1 MB, 1 of unknown size), 12 to keep`.
  func text(_ palette: Palette) -> String {
    if tallies.isEmpty, conflictCount == 0 { return "Plan: nothing to do, no files are listed" }
    var parts = Step.Action.allCases.compactMap { action in
      tallies[action].map { part(action, $0) }
    }
    if conflictCount > 0 {
      parts.insert(palette.paint("\(conflictCount) will fail", .boldRed), at: 0)
    }
    let work: [Step.Action] = [.download, .resume, .rehash, .revalidate, .place]
    let isIdle = conflictCount == 0 && !work.contains { tallies[$0] != nil }
    let start = isIdle ? "nothing to do, " : ""
    return palette.paint("Plan:", .bold) + " " + start + parts.joined(separator: ", ")
  }

  private func part(_ action: Step.Action, _ tally: Tally) -> String {
    switch action {
    case .download: "\(tally.count) to download (\(bytes(tally)))"
    case .resume: "\(tally.count) to resume (\(bytes(tally)), \(here(tally)))"
    case .rehash, .revalidate, .place, .keep: "\(tally.count) to \(action.rawValue)"
    case .skip: "\(tally.count) skipped"
    }
  }

  private func here(_ tally: Tally) -> String {
    "\(ByteCountText.human(tally.resumedByteCount)) of them here"
  }

  private func bytes(_ tally: Tally) -> String {
    if tally.unknownCount == tally.count { return "size unknown" }
    let known = ByteCountText.human(tally.byteCount)
    return tally.unknownCount == 0 ? known : "\(known), \(tally.unknownCount) of unknown size"
  }
}

extension Plan {
  /// What is worth a word, that of the manifests first.
  var allWarnings: [Notice] {
    let early = manifests.flatMap(\.warnings)
    let known = Set(early)
    return early + warnings.filter { !known.contains($0) }
  }
}
