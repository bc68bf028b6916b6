import TestSupport
import Testing

@testable import bulkget_bench

struct FileSetTests {
  @Test func scaleGivesFewerFilesOfTheSameSize() {
    #expect(FileSet.small.byteCounts(scale: 1).count == 10_000)
    #expect(FileSet.small.byteCounts(scale: 0.01) == [Int64](repeating: 4_096, count: 100))
  }

  @Test func scaleMakesASingleFileSmaller() {
    #expect(FileSet.large.byteCounts(scale: 1) == [2 << 30])
    #expect(FileSet.large.byteCounts(scale: 0.5) == [1 << 30])
  }

  @Test func somethingIsLeftAtAnyScale() {
    for scenario in Scenario.all {
      let sizes = scenario.files.byteCounts(scale: 1e-9)
      #expect(!sizes.isEmpty && sizes.allSatisfy { $0 > 0 })
    }
  }

  @Test func spreadSizesAreAsManyInEachMagnitude() {
    let sizes = FileSet.mixed.byteCounts(scale: 1)
    #expect(sizes.count == 2_000)
    #expect(sizes.reduce(0, +) == 1 << 30)
    let smallest = sizes.min() ?? 0
    // 12 doublings share 2,000 files.
    for power in 0..<12 {
      let magnitude = smallest << power..<smallest << (power + 1)
      #expect((165...169).contains(sizes.count { magnitude.contains($0) }))
    }
  }

  @Test func filesDifferAndStayTheSame() {
    let body = FileSet.small.body(1, byteCount: 64)
    #expect(body.bytes == FileSet.small.body(1, byteCount: 64).bytes)
    #expect(body.bytes != FileSet.small.body(2, byteCount: 64).bytes)
    #expect(body.bytes != FileSet.plan.body(1, byteCount: 64).bytes)
    #expect(FileSet.small.fileName(12) == "small-000012.bin")
  }
}
