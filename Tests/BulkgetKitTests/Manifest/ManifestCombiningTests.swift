import BulkgetKit
import Testing

@Suite struct ManifestCombiningTests {
  private func manifests(_ texts: String...) throws -> [Manifest] {
    try texts.enumerated().map { index, text in
      let input = ManifestInput(path: "m\(index).yaml", directory: "/base", index: index)
      return try Manifest(parsing: Array(text.utf8), input)
    }
  }

  private func problems(_ manifests: [Manifest]) -> [String] {
    do throws(ManifestError) {
      _ = try Manifest.combined(manifests)
      return []
    } catch {
      return error.problems.map { "\($0.file):\($0.line):\($0.column) \($0.message)" }
    }
  }

  @Test func entriesKeepTheOrderOfTheManifests() throws {
    let manifests = try manifests(
      "files: [{id: b, url: x}]", "files: []", "files: [{id: a, url: y}, {id: c, url: z}]")
    let entries = try Manifest.combined(manifests).entries
    #expect(entries.map(\.key.id) == ["b", "a", "c"])
    #expect(entries.map(\.position.manifest) == [0, 2, 2])
  }

  @Test func anEqualEntryIsThereOnce() throws {
    let manifests = try manifests(
      "files: [{id: a, url: x, tags: [t]}]", "# moved\nfiles:\n- {tags: [t], url: x, id: a}")
    let entries = try Manifest.combined(manifests).entries
    #expect(entries.count == 1)
    #expect(entries[0].position == SourcePosition(manifest: 0, line: 1, column: 9))
  }

  @Test func anotherEntryOfTheSameIDIsAnError() throws {
    let manifests = try manifests("files: [{id: a, url: x}]", "files:\n- {id: a, url: y}")
    #expect(
      problems(manifests) == [
        "m1.yaml:2:3 the id `a` of the namespace `default` is already another entry's, at m0.yaml:1:9"
      ])
  }

  @Test func namespacesKeepIDsApart() throws {
    let manifests = try manifests(
      "files: [{id: a, url: x}]", "namespace: other\nfiles: [{id: a, url: y}]")
    #expect(try Manifest.combined(manifests).entries.count == 2)
  }

  @Test func destinationsOfDifferentManifestsMustNotConflict() throws {
    let manifests = try manifests(
      "files: [{id: a, url: x, dest: d}, {id: b, url: x, dest: e/f}]",
      "files:\n- {id: c, url: y, dest: d}\n- {id: d, url: y, dest: e}",
      "files:\n- {id: e, url: y, dest: d/g}"
    )
    #expect(
      problems(manifests) == [
        "m1.yaml:2:3 the destination `d` is already that of `a`, at m0.yaml:1:9",
        "m1.yaml:3:3 the destination `e` is a directory of that of `b`, at m0.yaml:1:35",
        "m2.yaml:2:3 the destination `d/g` needs a directory where `c` puts a file, at m1.yaml:2:3",
      ])
  }

  @Test func warningsAboutEntriesOfDifferentManifestsAreAdded() throws {
    let manifests = try manifests(
      "files: [{id: a, url: x, dest: D}, {id: b, url: x, dest: E}]",
      "files: [{id: c, url: x, dest: d}, {id: f, url: x, dest: g}, {id: h, url: x, dest: G}]")
    let warnings = try Manifest.combined(manifests).warnings
    #expect(warnings.count == 2)
    #expect(warnings[0].message.contains("`a`") && warnings[0].message.contains("`c`"))
    #expect(warnings[1].message.contains("`f`") && warnings[1].message.contains("`h`"))
  }

  @Test func noManifestsMakeNoEntries() throws {
    #expect(try Manifest.combined([]).entries.isEmpty)
  }
}
