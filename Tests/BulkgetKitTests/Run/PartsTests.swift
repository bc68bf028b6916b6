import Testing

@testable import BulkgetKit

struct PartsTests {
  private struct Refusal: Error, Equatable { var start: Int }

  @Test(arguments: [0, 1, 9, 10, 11, 1000]) func everythingIsInOnePartAndInOrder(count: Int) {
    let parts = Parts.map(of: count, size: 10) { Array($0) }
    #expect(parts.flatMap(\.self) == Array(0..<count))
    #expect(parts.allSatisfy { (1...10).contains($0.count) })
  }

  @Test func theFirstPartsErrorIsThrown() {
    #expect(throws: Refusal(start: 20)) {
      try Parts.map(of: 100, size: 10) { part throws(Refusal) in
        if part.lowerBound >= 20 { throw Refusal(start: part.lowerBound) }
      }
    }
  }
}

struct ExpansionBudgetTests {
  @Test func theOneThatGoesBeyondTheLimitIsToldSo() {
    let budget = ExpansionBudget(byteCount: 10)
    #expect(budget.take(10) == .granted)
    #expect(budget.take(1) == .exceeded)
    #expect(budget.take(0) == .usedUp)
  }
}
