/// A program that downloads.
enum Tool: String, CaseIterable, Sendable {
  case bulkget, curl, wget2, aria2c, axel

  /// Whether it compares what it downloads with digests by itself.
  var verifies: Bool { self == .bulkget || self == .aria2c }

  /// What it is asked to do.
  func command(for job: Job) -> Command {
    switch self {
    case .bulkget: .bulkget(job)
    case .curl: .curl(job)
    case .wget2: .wget2(job)
    case .aria2c: .aria2c(job)
    case .axel: .axel(job)
    }
  }
}

/// A program in the comparison, by itself or with a check of all digests after it.
struct Contender: Hashable, Sendable {
  let tool: Tool
  let checksDigests: Bool

  init(_ tool: Tool, checksDigests: Bool = false) {
    self.tool = tool
    self.checksDigests = checksDigests
  }

  /// As options and tables name it.
  var name: String { tool.rawValue + (checksDigests ? "+sha" : "") }

  /// A program alone and, where it verifies nothing, with the check.
  static func variants(of tool: Tool) -> [Contender] {
    tool.verifies ? [Contender(tool)] : [Contender(tool), Contender(tool, checksDigests: true)]
  }

  static let all = Tool.allCases.flatMap(variants)
}
