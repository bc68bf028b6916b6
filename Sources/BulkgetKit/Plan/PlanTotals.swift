/// The sums over a plan's steps.
public struct PlanTotals: Hashable, Sendable {
  /// All entries: the sum over the actions.
  public var files = 0
  /// How many steps have each action.
  public var actions: [Step.Action: Int] = [:]
  /// How many of them can't succeed.
  public var conflicts = 0
  /// The bytes of all files that are wanted, as far as sizes are known.
  public var byteCount: Int64 = 0
  /// The bytes that would be fetched, as far as sizes are known; what is resumed is left out.
  public var transferByteCount: Int64 = 0
  /// How many of the files to be fetched have a size that is not known yet.
  public var unknownSizes = 0

  /// Adds up.
  public init(of steps: [Step]) {
    for index in steps.indices { add(steps[index]) }
  }

  private mutating func add(_ step: Step) {
    files += 1
    actions[step.action, default: 0] += 1
    if step.action != .skip { byteCount.addSaturating(step.byteCount ?? 0) }
    if step.conflict != nil {
      conflicts += 1
    } else if step.isTransfer {
      if step.byteCount == nil { unknownSizes += 1 }
      transferByteCount.addSaturating(max(0, (step.byteCount ?? 0) - step.resumedByteCount))
    }
  }
}

extension Plan {
  /// The sums over the steps.
  public var totals: PlanTotals { PlanTotals(of: steps) }
}
