import BulkgetKit

extension Command {
  static func bulkget(_ job: Job) -> Command {
    let list = job.lists + "/manifest.yaml"
    let places = [list, "--cache", job.output]
    let text = "files:\n" + job.files.map { entry($0, job) }.joined()
    if job.start == .plan {
      // Anything but a full cache is then another exit status.
      return Command(arguments: ["plan", "--check"] + places, lists: [list: text])
    }
    var arguments = ["run"] + places
    arguments += [
      "--report", job.lists + "/report.json", "--quiet", "--jobs", "\(job.tuning.jobs)",
    ]
    if job.canSegment { arguments += ["--segments", "\(job.tuning.segments)"] }
    if let file = job.certificateFile { arguments += ["--cacert", file] }
    return Command(arguments: arguments, lists: [list: text])
  }

  private static func entry(_ file: ServedFile, _ job: Job) -> String {
    """
      - id: \(file.name)
        url: \(job.url(of: file))
        type: bin
        sha256: \(file.digest)

    """
  }
}

extension ServedFile {
  /// The key under which bulkget caches it.
  var cacheKey: FileKey { FileKey(namespace: "default", id: name) }
}
