import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One contender at one scenario's work.
struct Trial: Sendable {
  let contender: Contender
  let scenario: Scenario
  let files: [ServedFile]
  let site: Site
  /// Where everything is already, for work that changes nothing.
  var standing: Workplace?

  /// Makes and checks what is to be there in every round, outside of all measuring.
  mutating func prepareStanding() throws {
    guard scenario.keepsOutput else { return }
    let place = try Workplace(in: site.directory.path)
    let job = job(in: place, .nothing)
    let ended = try run(contender.tool.command(for: job))
    if let failure = try failure(of: ended) ?? failure(of: job) {
      throw ToolError("could not be prepared: \(failure)")
    }
    if scenario.otherRecordCount > 0 {
      let count = scenario.otherRecordCount.scaled(by: site.scale)
      try CacheCrowd(recordCount: count).add(to: job.output)
    }
    standing = place
  }

  /// Does the work once.
  ///
  /// 1. Makes fresh directories with what is to be there, and lets the disk come to rest.
  /// 2. Runs the program, and the check of the digests where one belongs to it. Only this is measured.
  /// 3. Compares every file of the output; what was made goes.
  func sample(round: Int) throws -> Sample {
    let place = try standing ?? Workplace(in: site.directory.path)
    let job = job(in: place, scenario.start)
    var sample = Sample(round: round)
    do {
      if job.start == .half { try prepareHalf(job) }
      let command = contender.tool.command(for: job)
      let check = contender.checksDigests ? DigestCheck(job, coreCount: site.coreCount) : nil
      try write(command.lists.merging(check?.lists ?? [:]) { first, _ in first })
      sync()
      let ended = try execute(command)
      sample.add(ended)
      sample.failure = failure(of: ended)
      if sample.failure == nil, let check {
        let ended = try execute(check)
        sample.add(ended)
        sample.failure = failure(of: ended)
      }
      if sample.failure == nil { sample.failure = try failure(of: job) }
    } catch let error as HangError {
      sample.failure = Self.brief(error.description)
    } catch let error as ToolError {
      sample.failure = Self.brief(error.description)
    }
    return sample
  }

  // MARK: Jobs

  func job(in place: Workplace, _ start: Scenario.Start) -> Job {
    Job(
      files: files, baseURL: site.baseURL(of: scenario.files, by: scenario.route),
      output: place.output, lists: place.lists,
      certificateFile: site.certificateFile(for: scenario.route),
      tuning: scenario.tools[contender.tool] ?? Tuning(jobs: 8), start: start,
      canSegment: site.programs.canSegment)
  }

  // MARK: Processes

  /// The program's process, not started yet.
  func launch(_ command: Command) -> Launch {
    let program = site.programs.paths[contender.tool] ?? contender.tool.rawValue
    return site.launch(program, command.arguments)
  }

  private func execute(_ command: Command) throws -> EndedProcess {
    try site.interruption.run(launch(command))
  }

  private func execute(_ check: DigestCheck) throws -> EndedProcess {
    let launch = site.launch("xargs", check.arguments).with { $0.input = .bytes(check.input) }
    return try site.interruption.run(launch)
  }

  private func run(_ command: Command) throws -> EndedProcess {
    try write(command.lists)
    return try execute(command)
  }

  func write(_ lists: [String: String]) throws {
    for (path, text) in lists {
      // Those of standing work are there from the round before.
      try FileSystem.remove(path)
      try FileDescriptor.creating(path, mode: 0o644).write(Array(text.utf8))
    }
  }

  // MARK: Failures

  private func failure(of ended: EndedProcess) -> String? {
    ended.exitStatus == 0 ? nil : Self.brief(ended.description)
  }

  private func failure(of job: Job) throws -> String? {
    // A plan has no output but its exit status.
    if job.start == .plan { return nil }
    return try OutputCheck(job, of: contender.tool).failure(site.interruption)
  }

  /// The start of a text, on one line.
  static func brief(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}

extension Scenario {
  /// Whether the work leaves what it finds as it is, so that every round can have the same.
  fileprivate var keepsOutput: Bool {
    switch start {
    case .everything, .plan: true
    case .nothing, .half: false
    }
  }
}
