import BulkgetSystem

extension DestinationSnapshot {
  /// Looks at the destinations of `entries`: one look at each, and one at each parent directory.
  ///
  /// `reserved` are absolute paths that no destination may be, contain or lie in: manifests, report and cache. Where
  /// symbolic links lead is looked at only with `readsLinks`.
  public static func observing(
    entries: some Sequence<Entry>, outputDirectory: String, reserved: [String],
    readsLinks: Bool = false
  ) -> DestinationSnapshot {
    observing(
      entries,
      by: DestinationObserver(
        outputDirectory: outputDirectory, reserved: reserved, readsLinks: readsLinks))
  }

  /// Looks at the destinations of `entries` as `observer` does.
  static func observing(
    _ entries: some Sequence<Entry>, by observer: DestinationObserver
  ) -> DestinationSnapshot {
    var observer = observer
    var snapshot = DestinationSnapshot()
    for entry in entries {
      guard let destination = entry.destination else { continue }
      let place = observer.place(at: destination)
      if place != Place() { snapshot.places[destination] = place }
    }
    return snapshot
  }
}
