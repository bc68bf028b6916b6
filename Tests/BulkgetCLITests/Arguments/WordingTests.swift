import Testing

@testable import BulkgetCLI

struct WordingTests {
  @Test(arguments: [
    ("rum", "run"), ("urn", "run"), ("paln", "plan"), ("PLAN", "plan"), ("cach", "cache"),
    ("sch", "schema"),
  ])
  func aSlipOfTheFingersIsRecognised(_ word: String, _ meant: String) {
    #expect(Wording.nearest(to: word, in: ["run", "plan", "cache", "schema"]) == meant)
  }

  @Test(arguments: ["", "x", "frobnicate", "delete"])
  func whatIsFarAwayIsNot(_ word: String) {
    #expect(Wording.nearest(to: word, in: ["run", "plan", "cache", "schema"]) == nil)
  }

  @Test func alternativesAreJoinedAsPeopleDo() {
    #expect(Wording.alternatives([]) == "")
    #expect(Wording.alternatives(["a"]) == "`a`")
    #expect(Wording.alternatives(["a", "b", "c"]) == "`a`, `b` or `c`")
    #expect(Wording.list(["a", "b"]) == "`a`, `b`")
  }
}
