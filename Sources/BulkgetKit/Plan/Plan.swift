/// What a run would do: one step per entry, in the order of the manifests.
///
/// An entry that several manifests have alike (same namespace and id) is one step.
public struct Plan: Sendable {
  /// The manifests it was made from: path as given, digest, hosts.
  public var manifests: [Manifest]
  /// One step per entry.
  public var steps: [Step]
  /// What is worth a word before anything is done.
  public var warnings: [Notice]

  /// Makes a plan.
  public init(manifests: [Manifest], steps: [Step], warnings: [Notice] = []) {
    self.manifests = manifests
    self.steps = steps
    self.warnings = warnings
  }

  /// Whether a run would do more than ask servers whether cached files are still right.
  public var hasWork: Bool {
    steps.contains { step in
      switch step.action {
      case .keep, .skip, .revalidate: step.conflict != nil
      case .download, .resume, .rehash, .place: true
      }
    }
  }
}
