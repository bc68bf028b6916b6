import BulkgetKit
import Testing

@Suite struct DestinationPathTests {
  @Test(arguments: [
    ("a", "a"), ("./a/./b", "a/b"), ("a//b", "a/b"), ("~/x", "~/x"), ("a/", "a"), (".a", ".a"),
    ("...", "..."), ("a..b/c", "a..b/c"), ("a/.../b", "a/.../b"), ("a b", "a b"),
    ("C:\\x", "C:\\x"),
    ("é/日本", "é/日本"), (".//./a", "a"),
  ])
  func B062_pathsAreNormalized(text: String, path: String) throws {
    #expect(try DestinationPath(text).description == path)
  }

  @Test(
    arguments: [
      ("", .empty), (".", .empty), ("./", .empty), ("././/", .empty), ("/tmp/abs", .absolute),
      ("/", .absolute), ("..", .leavesDirectory), ("../x", .leavesDirectory),
      ("a/..", .leavesDirectory),
      ("a/../../x", .leavesDirectory), ("a/../b", .leavesDirectory), ("a\nb", .controlCharacter),
      ("a\0b", .controlCharacter), ("a\u{1B}", .controlCharacter), ("a\u{7F}", .controlCharacter),
      ("a\u{9B}b", .controlCharacter),
    ] as [(String, DestinationPath.Refusal)])
  func B062_pathsThatLeaveOrNameNothingAreRefused(text: String, refusal: DestinationPath.Refusal) {
    #expect(throws: refusal) { try DestinationPath(text) }
  }

  @Test func B064_aNameHasAtMost255Bytes() throws {
    let longest = String(repeating: "a", count: 255)
    #expect(try DestinationPath("d/" + longest).components.last == longest[...])
    #expect(throws: DestinationPath.Refusal.componentTooLong(byteCount: 256)) {
      try DestinationPath(longest + "a/x")
    }
    let wide = String(repeating: "日", count: 90)
    #expect(throws: DestinationPath.Refusal.componentTooLong(byteCount: 270)) {
      try DestinationPath(wide)
    }
  }

  @Test func B064_aPathHasAtMost4095Bytes() throws {
    let directories = String(repeating: String(repeating: "a", count: 99) + "/", count: 40)
    let path = directories + String(repeating: "b", count: 95)
    #expect(try DestinationPath(path).description.utf8.count == 4095)
    #expect(throws: DestinationPath.Refusal.tooLong(byteCount: 4096)) {
      try DestinationPath(path + "b")
    }
  }

  @Test func componentsAreTheNamesFromTheOutermost() throws {
    #expect(try DestinationPath("a/b/c").components == ["a", "b", "c"])
  }

  @Test func pathsInTwoUnicodeFormsAreTwoPaths() throws {
    let composed = try DestinationPath("\u{E9}.bin")
    let decomposed = try DestinationPath("e\u{301}.bin")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }
}
