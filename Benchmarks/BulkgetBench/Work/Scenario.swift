/// One kind of work, and how each program is set up for it.
struct Scenario: Sendable {
  /// The way between the programs and the server.
  enum Route: Sendable {
    case plain
    /// TLS with HTTP/2.
    case secure
    /// The server sends each response slowly.
    case throttled
    /// A round trip takes 20 ms.
    case distant
  }

  /// What is there when the clock starts.
  enum Start: Sendable {
    case nothing
    /// Everything; the work is to find that out.
    case everything
    /// The first half of the only file.
    case half
    /// A full cache, for which bulkget makes a plan.
    case plan
  }

  let name: String
  /// What it is, in a table's words.
  let summary: String
  let files: FileSet
  /// How many of the files are used; all by default.
  var fileLimit = Int.max
  var route = Route.plain
  var start = Start.nothing
  /// How many records of other namespaces the cache has besides.
  var otherRecordCount = 0
  /// The programs that take part.
  let tools: [Tool: Tuning]

  var contenders: [Contender] {
    Tool.allCases.filter { tools[$0] != nil }.flatMap(Contender.variants)
  }
}

/// How much a program does at once: what suited it best on 2 cores, so that no peer is slower than it need be.
struct Tuning: Sendable, ExpressibleByIntegerLiteral {
  /// Downloads at once.
  var jobs: Int
  /// Connections for one file.
  var segments = 1

  init(jobs: Int, segments: Int = 1) {
    self.jobs = jobs
    self.segments = segments
  }

  init(integerLiteral jobs: Int) {
    self.init(jobs: jobs)
  }
}
