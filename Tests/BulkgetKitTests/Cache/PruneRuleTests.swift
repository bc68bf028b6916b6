import Testing

@testable import BulkgetKit

/// What pruning chooses, without a cache.
struct PruneRuleTests {
  private static let second: Int64 = 1_000_000_000

  private func item(
    _ name: String, bytes: Int64 = 10, used seconds: Int64, inode: UInt64? = nil,
    kind: PruneItem.Kind = .file, isKept: Bool = false
  ) -> PruneItem {
    PruneItem(
      kind: kind, key: FileKey(name), path: name, byteCount: bytes,
      inode: inode ?? UInt64(name.hashValue.magnitude), usedAt: seconds * Self.second,
      isKept: isKept)
  }

  private func choice(_ items: [PruneItem], _ change: (inout PruneRule) -> Void) -> [String] {
    var rule = PruneRule()
    change(&rule)
    return rule.choice(from: items, now: 100 * Self.second).map(\.path)
  }

  @Test func withoutARuleOnlyIncompleteFilesGo() {
    #expect(choice([item("a", used: 1), item("p", used: 2, kind: .partial)]) { _ in } == ["p"])
  }

  @Test func whatWasNotUsedForLongestGoesUntilTheRestFits() {
    let items = [item("new", used: 9), item("old", used: 1), item("middle", used: 5)]
    #expect(choice(items) { $0.maximumByteCount = 30 } == [])
    #expect(choice(items) { $0.maximumByteCount = 29 } == ["old"])
    #expect(choice(items) { $0.maximumByteCount = 10 } == ["old", "middle"])
    #expect(choice(items) { $0.maximumByteCount = 0 } == ["old", "middle", "new"])
  }

  @Test func bytesWithSeveralNamesAreFreedByTheLastOne() {
    let items = [
      item("a", used: 1, inode: 7), item("b", used: 2, inode: 7), item("c", used: 3, inode: 8),
    ]
    #expect(choice(items) { $0.maximumByteCount = 20 } == [])
    #expect(choice(items) { $0.maximumByteCount = 19 } == ["a", "b"])
  }

  @Test func whatIsOlderGoesAndOfTheRestWhatIsTooMuch() {
    let items = [item("a", used: 10), item("b", used: 80), item("c", used: 99)]
    #expect(choice(items) { $0.maximumAge = .seconds(20) } == ["a"])
    #expect(choice(items) { $0.maximumAge = .seconds(90) } == [])
    #expect(
      choice(items) {
        $0.maximumAge = .seconds(20)
        $0.maximumByteCount = 10
      } == ["a", "b"])
  }

  @Test func whatIsKeptStaysAndTakesRoom() {
    let items = [item("a", used: 1, isKept: true), item("b", used: 50)]
    #expect(choice(items) { $0.keptKeys = [] } == ["b"])
    #expect(choice(items) { $0.maximumByteCount = 10 } == ["b"])
    #expect(choice(items) { $0.maximumAge = .zero } == ["b"])
  }
}
