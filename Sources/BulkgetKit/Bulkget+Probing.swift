import Foundation

extension Bulkget {
  /// Asks servers for the sizes that a plan lacks, and fills them in. Nothing is written, and no body is read.
  ///
  /// Only what would be fetched is asked about. A size that can't be learnt stays nil, and one warning of the plan says for
  /// how many files that is so. Without network (``Configuration/isOffline``) nobody is asked.
  ///
  /// - Throws: ``RunError`` where libcurl can't be set up or no file can be opened.
  public func probed(_ plan: Plan) async throws(RunError) -> Plan {
    let orders = configuration.isOffline ? [:] : orders(of: plan)
    if orders.isEmpty { return plan }
    let budget = DescriptorBudget.raised()
    guard let jobs = budget.jobs(atMost: configuration.jobs) else {
      throw .tooFewDescriptors(limit: budget.limit, needed: DescriptorBudget.minimum)
    }
    let prober = Prober(
      orders, try CurlTransfers(configuration), jobs: jobs,
      governor: HostGovernor(configuration, hosts: plan.manifests.map(\.hosts)))
    let results = await prober.results()
    var plan = plan
    for (index, result) in results { plan.steps[index].byteCount = result.byteCount }
    // Who is served by another's transfer gets as many bytes.
    for (index, step) in plan.steps.enumerated() where step.byteCount == nil {
      if let leader = step.leader { plan.steps[index].byteCount = plan.steps[leader].byteCount }
    }
    if let warning = warning(about: plan, results) { plan.warnings.append(warning) }
    return plan
  }

  /// Also counts what a server left out without refusing anything, as one that sends in chunks does.
  private func warning(about plan: Plan, _ results: [Int: ProbeResult]) -> Notice? {
    let unknown = plan.steps.enumerated().compactMap { index, step -> ProbeResult? in
      step.byteCount == nil ? results[step.leader ?? index] : nil
    }
    guard let first = unknown.first else { return nil }
    let files =
      unknown.count == 1 ? "the size of one file" : "the sizes of \(unknown.count) files"
    let reason = first.failure?.message ?? "\(first.finalURL ?? "the server") doesn't tell"
    return Notice(code: "size-unknown", message: "\(files) can't be learnt: \(reason)")
  }

  private func orders(of plan: Plan) -> [Int: Download.Order] {
    var orders: [Int: Download.Order] = [:]
    for (index, step) in plan.steps.enumerated()
    where step.isTransfer && step.byteCount == nil && step.leader == nil && step.conflict == nil {
      guard step.entry.sources.contains(where: { !$0.isLocal }) else { continue }
      orders[index] = Download.Order(
        step.entry, configuration, hosts: plan.manifests[step.entry.position.manifest].hosts)
    }
    return orders
  }
}
