import BulkgetKit
import Testing

/// Many entries: that it works at all. How fast it is, is measured elsewhere.
@Suite struct ManifestScaleTests {
  private func text(entryCount: Int, entry: (Int) -> String) -> String {
    var text = "variables: {base: https://example.org/releases}\nfiles:\n"
    for number in 0..<entryCount { text += entry(number) }
    return text
  }

  @Test func B112_oneHundredThousandEntriesAreRead() throws {
    let text = text(entryCount: 100_000) { number in
      "- id: package-\(number)\n  url: ${base}/package-\(number).tar.gz\n  size: \(number)\n"
        + "  dest: d\(number % 100)/package-\(number).tar.gz\n"
    }
    let manifest = try manifest(text)
    #expect(manifest.entries.count == 100_000)
    let last = try #require(manifest.entries.last)
    #expect(last.key.id == "package-99999")
    #expect(last.size == 99_999)
    #expect(last.destination?.description == "d99/package-99999.tar.gz")
    #expect(
      last.sources == [
        .remote(try ResourceURL("https://example.org/releases/package-99999.tar.gz"))
      ])
    #expect(last.position.line == 399_999)
  }

  @Test func manyDuplicatesAreNamedWithoutComparingAllWithAll() {
    let found = problems(text(entryCount: 20_000) { _ in "- {id: a, url: x, dest: y}\n" })
    #expect(found.count == 10_001)
    #expect(found[1] == "4:25 the destination `y` is already that of `a`, at line 3, column 25")
  }

  @Test func manyCollisionsAreFoundWithoutComparingAllWithAll() throws {
    let manifest = try manifest(
      text(entryCount: 20_000) { number in
        "- {id: \(number), url: x, dest: \(number % 2 == 0 ? "D" : "d")/\(number / 2)}\n"
      })
    #expect(manifest.warnings.count == 10_000)
  }

  @Test func aManifestInOneLineIsRead() throws {
    let items = (0..<20_000).map { #"{"id":"\#($0)","url":"https://example.org/\#($0)"}"# }
    let manifest = try manifest(#"{"files":["# + items.joined(separator: ",") + "]}")
    #expect(manifest.entries.count == 20_000)
    #expect(manifest.entries[0].position == SourcePosition(manifest: 0, line: 1, column: 11))
  }
}
