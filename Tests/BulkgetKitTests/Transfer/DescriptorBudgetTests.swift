import Testing

@testable import BulkgetKit

@Suite struct DescriptorBudgetTests {
  @Test func aLargeLimitAllowsWhatIsWanted() {
    #expect(DescriptorBudget(limit: 1_048_576).jobs(atMost: 1_024) == 1_024)
  }

  @Test func aSmallOneAllowsFewer() throws {
    for limit in [64, 32] {
      let jobs = try #require(DescriptorBudget(limit: limit).jobs(atMost: 64))
      #expect(jobs >= 1 && jobs < limit / 2)
    }
  }

  @Test func theMinimumIsExact() {
    let least = DescriptorBudget.minimum
    #expect(DescriptorBudget(limit: least).jobs(atMost: 64) == 1)
    #expect(DescriptorBudget(limit: least - 1).jobs(atMost: 64) == nil)
    #expect(DescriptorBudget(limit: 0).jobs(atMost: 1) == nil)
  }

  @Test func theWarningNamesBothNumbers() {
    let notice = DescriptorBudget(limit: 64).warning(jobs: 14, wanted: 64)
    #expect(notice.code == "too-many-open-files")
    #expect(notice.message.contains("14") && notice.message.contains("64"))
  }
}
