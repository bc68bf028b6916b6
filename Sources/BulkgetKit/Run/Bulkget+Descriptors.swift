extension Bulkget {
  /// Raises the limit on open files as far as the system lets it be, and finds out whether one download can go on.
  ///
  /// A run does this too; whoever reads manifests first asks before, since a file that can't be opened for want of
  /// descriptors would be taken for the manifest's fault.
  package static func checkDescriptors() throws(RunError) {
    let budget = DescriptorBudget.raised()
    guard budget.jobs(atMost: 1) == nil else { return }
    throw .tooFewDescriptors(limit: budget.limit, needed: DescriptorBudget.minimum)
  }
}
