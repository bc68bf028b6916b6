import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetKit

@Suite struct DestinationFoldingTests {
  private static let letterCase = NameFolding(letterCase: true)
  private static let forms = NameFolding(unicodeForms: true)
  private static let everything = NameFolding(letterCase: true, unicodeForms: true)

  /// The problems of entries with these destinations, whose ids are their numbers and lines.
  private func problems(
    _ destinations: [String], _ folding: (String) -> NameFolding
  ) throws -> [String] {
    let entries = destinations.enumerated().map { number, destination in
      "- {id: \(number + 2), url: x\(number), dest: \"\(destination)\"}"
    }
    let manifests = [try manifest("files:\n" + entries.joined(separator: "\n"))]
    return try Manifest.combined(manifests).foldingProblems(of: manifests, folding).map {
      "\($0.file):\($0.line):\($0.column) \($0.message)"
    }
  }

  @Test func B070_theProblemNamesBothEntriesAndTheirPlaces() throws {
    #expect(
      try problems(["A/x.bin", "b", "a/x.bin"]) { _ in Self.letterCase } == [
        "m.yaml:4:3 the destinations of `2` (A/x.bin) and `4` (a/x.bin) collide, because the output "
          + "directory ignores letter case; the other entry is at m.yaml:2:3"
      ])
  }

  @Test(
    arguments: [
      ("A", "a", [letterCase, everything]), ("\u{E9}", "e\u{301}", [forms, everything]),
      ("\u{C9}", "\u{E9}", [letterCase, everything]), ("\u{C9}", "e\u{301}", [everything]),
      ("stra\u{DF}e", "STRASSE", [letterCase, everything]), ("A", "a/b", [letterCase, everything]),
      ("a/b", "A", [letterCase, everything]), ("A/x", "a/y", []), ("a", "b", []),
    ] as [(String, String, [NameFolding])])
  func B070_onlyWhatTheDirectoryFoldsIsRefused(
    first: String, second: String, refusing: [NameFolding]
  ) throws {
    for folding in [NameFolding(), Self.letterCase, Self.forms, Self.everything] {
      let found = try problems([first, second]) { _ in folding }
      #expect(found.count == (refusing.contains(folding) ? 1 : 0), "\(folding)")
    }
  }

  /// The first two are two files here, and the third one replaces the second.
  @Test func B070_thePairIsFoundThoughTheFirstLikenessIsNone() throws {
    let found = try problems(["\u{E9}", "e\u{301}", "E\u{301}"]) { _ in Self.letterCase }
    #expect(found.count == 1)
    #expect(found.first?.contains("`3`") == true && found.first?.contains("`4`") == true)
  }

  @Test func B070_theDirectoryInWhichTheyPartDecides() throws {
    var asked: [String] = []
    let found = try problems(["p/q/A", "p/q/a", "r/A", "r/a"]) { directory in
      asked.append(directory)
      return directory == "r/" ? Self.letterCase : NameFolding()
    }
    #expect(asked.sorted() == ["p/q/", "r/"])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("m.yaml:5:3 ") == true)
  }
}
