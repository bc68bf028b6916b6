import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is wrong with a text that should equal its recorded one.
package struct SnapshotError: Error, CustomStringConvertible {
  package let description: String

  /// Whether the environment says RECORD_SNAPSHOTS=1.
  package static var isRecordingWanted: Bool {
    getenv("RECORD_SNAPSHOTS").map { String(cString: $0) } == "1"
  }
}

/// Compares a text with the file of that name in `Snapshots/` beside the test.
///
/// With `RECORD_SNAPSHOTS=1` in the environment the file is written instead, and the test fails: recording must not
/// pass for testing.
package func expectSnapshot(
  _ text: String, named name: String, beside test: String = #filePath,
  recording: Bool = SnapshotError.isRecordingWanted
) throws {
  let directory = FileSystem.parentDirectory(of: test) + "/Snapshots"
  let path = "\(directory)/\(name)"
  if recording {
    try FileSystem.makeDirectories(directory)
    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      .write(Array(text.utf8))
    throw SnapshotError(description: "recorded `\(path)`; read it and run without recording")
  }
  guard try FileSystem.status(of: path) != nil else {
    throw SnapshotError(
      description: "there is no `\(path)`\nhint: record it by RECORD_SNAPSHOTS=1 swift test")
  }
  let bytes = try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1 << 24) ?? []
  let recorded = String(decoding: bytes, as: UTF8.self)
  if let difference = snapshotDifference(text, recorded: recorded) {
    throw SnapshotError(description: "the text is not that of `\(path)`\n\(difference)")
  }
}

/// The first line that differs, as it was recorded and as it is; nil for equal texts.
package func snapshotDifference(_ text: String, recorded: String) -> String? {
  // As bytes: Swift takes texts of different Unicode forms for equal.
  if text.utf8.elementsEqual(recorded.utf8) { return nil }
  let old = recorded.split(separator: "\n", omittingEmptySubsequences: false)
  let new = text.split(separator: "\n", omittingEmptySubsequences: false)
  let number = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
  func line(_ lines: [Substring]) -> String {
    number < lines.count ? "|\(lines[number])|" : "(end)"
  }
  return
    "line \(number + 1)\n  recorded: \(line(old))\n  is:       \(line(new))\n\nwhole text:\n\(text)"
}
