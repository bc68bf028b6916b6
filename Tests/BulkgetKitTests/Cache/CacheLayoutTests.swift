import BulkgetKit
import Testing

@Suite struct CacheLayoutTests {
  private let layout = CacheLayout(directory: "/c")

  @Test(arguments: [
    ("a", "bin", "0cc175b9c0f1b6a831c399e269772661.bin"),
    ("a", "tar.gz", "0cc175b9c0f1b6a831c399e269772661.tar.gz"),
    ("a", nil, "0cc175b9c0f1b6a831c399e269772661"),
    ("", nil, "d41d8cd98f00b204e9800998ecf8427e"),
    ("007", "zip", "9e94b15ed312fa42232fd87a55db0d39.zip"),
  ])
  func aFileIsNamedByTheMD5OfItsIDAndItsType(id: String, type: String?, name: String) {
    let key = FileKey(namespace: "default", id: id)
    let path = layout.path(of: key, type: type.flatMap(FileType.init))
    #expect(path == "/c/files/default/\(name)")
  }

  @Test(arguments: ["../x", "a/b", "/etc/passwd", "..", ".", "~", "a\u{1b}[2J", "x\nY", "é"])
  func B062_noIDBecomesAPath(id: String) {
    let key = FileKey(namespace: "default", id: id)
    for path in [layout.path(of: key, type: nil), layout.partialPath(of: key)] {
      let name = path.split(separator: "/").last ?? ""
      #expect(name.utf8.count == 32)
      #expect(name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    }
    #expect(layout.path(of: key, type: nil).hasPrefix("/c/files/default/"))
    #expect(layout.partialPath(of: key).hasPrefix("/c/partial/"))
  }

  @Test(arguments: [
    "..", ".", "", "../..", "a/b", "A", ".hidden", "a\0b", String(repeating: "n", count: 65),
  ])
  func aNamespaceThatNoManifestAllowsBecomesNoPath(namespace: String) {
    let directory = layout.filesDirectory(of: namespace)
    let name = directory.dropFirst("/c/files/".count)
    #expect(directory.hasPrefix("/c/files/"))
    #expect(name.utf8.count == 32)
    #expect(!name.contains("/"))
  }

  @Test(arguments: ["default", "ci-tools", "a", "1.2_3", String(repeating: "n", count: 64)])
  func aManifestsNamespaceIsItsDirectory(namespace: String) {
    #expect(layout.filesDirectory(of: namespace) == "/c/files/" + namespace)
  }

  @Test func B104_idsInTwoUnicodeFormsAreTwoKeysAndTwoFiles() {
    let composed = FileKey(namespace: "default", id: "\u{e9}")
    let decomposed = FileKey(namespace: "default", id: "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(layout.path(of: composed, type: nil) != layout.path(of: decomposed, type: nil))
    #expect(layout.partialPath(of: composed) != layout.partialPath(of: decomposed))
  }

  @Test func oneIDInTwoNamespacesHasTwoPartials() {
    let one = FileKey(namespace: "one", id: "a")
    let two = FileKey(namespace: "two", id: "a")
    #expect(layout.partialPath(of: one) != layout.partialPath(of: two))
    #expect(layout.partialRecordPath(of: one) == layout.partialPath(of: one) + ".json")
  }

  @Test func namespaceAndIDAreNeverTakenForEachOther() {
    let one = FileKey(namespace: "ab", id: "c")
    let two = FileKey(namespace: "a", id: "bc")
    #expect(layout.partialPath(of: one) != layout.partialPath(of: two))
  }
}
