import BulkgetSystem

/// How many downloads the limit on open files allows.
struct DescriptorBudget: Hashable, Sendable {
  /// The most descriptors that this process may have.
  let limit: Int

  /// Standard streams, index and journal, locks, the transport's own, the report, a name's look-up.
  private static let base = 20
  /// A connection, a staged file, and a file that is being placed.
  private static let perDownload = 3

  /// What even one download needs.
  static let minimum = base + perDownload

  /// The budget after the limit was raised as far as the system lets it be.
  static func raised() -> DescriptorBudget {
    DescriptorBudget(limit: DescriptorLimit.raise())
  }

  /// How many downloads of the wanted ones may go on at once; nil where not even one may.
  func jobs(atMost wanted: Int) -> Int? {
    let possible = (limit - Self.base) / Self.perDownload
    return possible < 1 ? nil : min(wanted, possible)
  }

  func warning(jobs: Int, wanted: Int) -> Notice {
    Notice(
      code: "too-many-open-files",
      message:
        "only \(limit) files may be open at once: \(jobs) downloads at once instead of \(wanted); "
        + "raise `ulimit -n`")
  }
}
