/// Looking again at one entry while the run goes on.
extension RunContext {
  /// The step for an entry whose cached file has changed since the plan was made.
  func replanned(_ step: Step) throws(CacheError) -> Step {
    let snapshot = try cache.snapshot(of: [step.entry])
    var manifest = Manifest(path: "")
    manifest.entries = [step.entry]
    var configuration = configuration
    configuration.selection.platforms = nil
    configuration.selection.idPatterns = []
    configuration.selection.tags = []
    configuration.selection.excludedTags = []
    // What another process has just fetched is as new as anything.
    configuration.downloadsEverything = false
    var destinations = DestinationSnapshot()
    if let destination = step.entry.destination {
      destinations.places[destination] = observe(step.entry)
    }
    let plan = Planner(configuration: configuration, now: now)
      .plan(manifests: [manifest], cache: snapshot, destinations: destinations)
    return plan.steps.first ?? step
  }

  /// What is at the entry's destination.
  func observe(_ entry: Entry) -> DestinationSnapshot.Place {
    var observer = destinations
    return entry.destination.map { observer.place(at: $0) } ?? .init()
  }
}
