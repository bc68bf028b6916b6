import TestSupport

extension CaseSite {
  /// How `bulkget lock` is started for these entries.
  func lockLaunch(
    _ entries: [String], _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> Launch {
    try directory.write(Self.manifest(entries), to: "manifest.yaml")
    let words = ["lock", "manifest.yaml", "--cache", "cache"] + options
    return Launch(try BuiltProducts.path(of: "bulkget"), words).with {
      $0.workingDirectory = directory.path
      $0.environment = environment
      $0.environment["BULKGET_RETRIES"] = "0"
    }
  }

  /// Runs `bulkget lock` to its end.
  func lock(_ entries: [String], _ options: String...) throws -> CaseRun {
    try ended(ChildProcess.run(lockLaunch(entries, options)))
  }

  /// The lock file.
  func lockText() throws -> String {
    String(decoding: try directory.read("manifest.lock"), as: UTF8.self)
  }
}
