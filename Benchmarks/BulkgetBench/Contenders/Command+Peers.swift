extension Command {
  static func curl(_ job: Job) -> Command {
    let list = job.lists + "/curl.conf"
    var arguments = [
      "--disable", "--parallel", "--parallel-max", "\(job.tuning.jobs)", "--config", list,
    ]
    if job.certificateFile == nil {
      // With TLS it waits instead for a connection that it can share.
      arguments.append("--parallel-immediate")
    }
    let common = curlOptions(job)
    // An option counts up to the next `next`, and the condition is another for each file.
    let text =
      job.start == .everything
      ? job.files.map {
        common + curlTransfer($0, job) + "time-cond = \"\(job.path(of: $0))\"\n"
      }.joined(separator: "next\n")
      : common + job.files.map { curlTransfer($0, job) }.joined()
    return Command(arguments: arguments, lists: [list: text])
  }

  private static func curlOptions(_ job: Job) -> String {
    var options = "silent\nshow-error\nfail\nremote-time\n"
    if let file = job.certificateFile { options += "cacert = \"\(file)\"\n" }
    if job.start == .half { options += "continue-at = -\n" }
    return options
  }

  private static func curlTransfer(_ file: ServedFile, _ job: Job) -> String {
    "url = \"\(job.url(of: file))\"\noutput = \"\(job.path(of: file))\"\n"
  }

  static func wget2(_ job: Job) -> Command {
    let list = job.lists + "/urls"
    var arguments = [
      "--no-config", "--quiet", "--no-robots", "--no-hsts", "--no-hpkp", "--no-ocsp",
      "--max-threads=\(job.tuning.jobs)", "--directory-prefix=\(job.output)",
      "--input-file=\(list)",
    ]
    if let file = job.certificateFile { arguments.append("--ca-certificate=\(file)") }
    // In larger pieces it waits for seconds before the last one.
    if job.tuning.segments > 1 { arguments.append("--chunk-size=2M") }
    switch job.start {
    case .everything: arguments.append("--timestamping")
    case .half: arguments.append("--continue")
    case .nothing, .plan: break
    }
    let text = job.files.map { job.url(of: $0) + "\n" }.joined()
    return Command(arguments: arguments, lists: [list: text])
  }

  static func aria2c(_ job: Job) -> Command {
    let list = job.lists + "/aria2.txt"
    var arguments = [
      "--no-conf", "--quiet", "--input-file=\(list)", "--dir=\(job.output)",
      "--max-concurrent-downloads=\(job.tuning.jobs)", "--split=\(job.tuning.segments)",
      "--max-connection-per-server=\(min(16, job.tuning.segments))", "--min-split-size=1M",
      // Writing zeros first, its default, only costs it time.
      "--file-allocation=none", "--auto-file-renaming=false", "--remote-time=true",
    ]
    if let file = job.certificateFile { arguments.append("--ca-certificate=\(file)") }
    switch job.start {
    case .everything: arguments += ["--conditional-get=true", "--allow-overwrite=true"]
    case .half: arguments.append("--continue=true")
    case .nothing, .plan: break
    }
    let text = job.files.map { file in
      "\(job.url(of: file))\n  out=\(file.name)\n  checksum=sha-256=\(file.digest)\n"
    }
    return Command(arguments: arguments, lists: [list: text.joined()])
  }

  /// It takes one file only.
  static func axel(_ job: Job) -> Command {
    let words = job.files.prefix(1).flatMap { ["-o", job.path(of: $0), job.url(of: $0)] }
    return Command(arguments: ["-q", "-n", "\(job.tuning.segments)"] + words)
  }
}
