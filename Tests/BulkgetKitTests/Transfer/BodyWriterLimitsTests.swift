import Testing

@testable import BulkgetKit

@Suite struct BodyWriterLimitsTests {
  @Test(arguments: [1, 4, 16, 64, 256, 1_024])
  func memoryStaysBoundedHoweverManyBodiesThereAre(jobs: Int) {
    let limits = BodyWriter.Limits(jobs: jobs)
    #expect(limits.pending * jobs <= 64 << 20)
    #expect(limits.pending >= 64 * 1024)
    #expect(limits.chunk <= limits.pending / 4)
    #expect(limits.chunk >= 16 * 1024)
  }
}
