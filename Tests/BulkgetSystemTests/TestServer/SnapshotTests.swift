import BulkgetSystem
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite
struct SnapshotTests {
  private let directory: TemporaryDirectory
  private var test: String { directory.path + "/SomeTests.swift" }

  init() throws {
    directory = try TemporaryDirectory()
    try FileSystem.makeDirectories(directory.path + "/Snapshots")
    try FileDescriptor(
      opening: directory.path + "/Snapshots/text", O_WRONLY | O_CREAT, mode: 0o600
    ).write(Array("one\ntwo\n".utf8))
  }

  @Test func anEqualTextPasses() throws {
    try expectSnapshot("one\ntwo\n", named: "text", beside: test, recording: false)
  }

  @Test func anotherTextNamesTheFirstLineThatDiffers() {
    #expect {
      try expectSnapshot("one\n2\n", named: "text", beside: test, recording: false)
    } throws: { error in
      "\(error)".contains("line 2\n  recorded: |two|\n  is:       |2|\n")
    }
  }

  @Test func aMissingSnapshotFailsAndSaysHowToRecord() {
    #expect {
      try expectSnapshot("x", named: "missing", beside: test, recording: false)
    } throws: { "\($0)".contains("RECORD_SNAPSHOTS=1") }
  }

  @Test func shorterAndLongerTextsDiffer() {
    #expect(snapshotDifference("a\n", recorded: "a\nb")?.contains("line 2\n") == true)
    #expect(
      snapshotDifference("a", recorded: "a\n")?.contains("recorded: ||\n  is:       (end)") == true)
  }

  @Test func recordingWritesTheFileAndFails() throws {
    #expect(throws: SnapshotError.self) {
      try expectSnapshot("new", named: "new", beside: test, recording: true)
    }
    try expectSnapshot("new", named: "new", beside: test, recording: false)
  }

  @Test func unicodeFormsAreToldApart() {
    #expect(snapshotDifference("\u{e9}", recorded: "e\u{301}") != nil)
  }
}
