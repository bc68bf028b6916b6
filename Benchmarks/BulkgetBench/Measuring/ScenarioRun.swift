import TestSupport

/// All rounds of one scenario.
struct ScenarioRun {
  let scenario: Scenario
  let contenders: [Contender]
  let site: Site
  let roundCount: Int

  /// Runs every contender once a round, after a round that doesn't count, and tells each sample as it comes.
  func result(telling tell: (Contender, Sample) -> Void) throws -> ScenarioResult {
    let all = try site.served.add(scenario.files, scale: site.scale, site.interruption)
    let files = Array(all.prefix(fileLimit))
    var result = ScenarioResult(scenario, files, contenders)
    let ready = try contenders.compactMap { contender in
      try prepare(contender, files) { failure in
        tell(contender, failure)
        result.add(failure, of: contender)
      }
    }
    for round in 0...roundCount {
      for trial in Rounds.order(ready, round: round) {
        try site.interruption.check()
        let sample = try trial.sample(round: round)
        tell(trial.contender, sample)
        result.add(sample, of: trial.contender)
      }
    }
    return result
  }

  private var fileLimit: Int {
    scenario.fileLimit == .max ? .max : scenario.fileLimit.scaled(by: site.scale)
  }

  /// A contender that can't even be prepared takes no part, and has that as its only sample.
  private func prepare(
    _ contender: Contender, _ files: [ServedFile], _ failed: (Sample) -> Void
  ) throws -> Trial? {
    var trial = Trial(contender: contender, scenario: scenario, files: files, site: site)
    do {
      try trial.prepareStanding()
      return trial
    } catch let error as ToolError {
      failed(Sample(round: 1, failure: Trial.brief(error.description)))
    } catch let error as HangError {
      failed(Sample(round: 1, failure: Trial.brief(error.description)))
    }
    return nil
  }
}
