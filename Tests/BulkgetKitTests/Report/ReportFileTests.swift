import BulkgetKit
import BulkgetSystem
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct ReportFileTests {
  private let scratch: ScratchDirectory
  private let report: Report

  init() throws {
    scratch = try ScratchDirectory()
    report = try ReportSamples.report()
  }

  private var text: String { String(decoding: report.json, as: UTF8.self) }

  private func file(_ name: String) -> ReportFile { ReportFile(path: "\(scratch.path)/\(name)") }

  @Test func writesAndLeavesNothingElse() throws {
    try file("report.json").checkWritable()
    #expect(try FileSystem.names(in: scratch.path) == [])
    try file("report.json").write(report)
    #expect(try FileSystem.names(in: scratch.path) == ["report.json"])
    #expect(try scratch.read("report.json") == text)
  }

  @Test func replacesAnOlderReportWithoutInheritingItsMode() throws {
    try scratch.write("report.json", "old", mode: 0o600)
    let old = try FileDescriptor(opening: "\(scratch.path)/report.json", O_RDONLY)
    try file("report.json").write(report)
    #expect(try scratch.read("report.json") == text)
    #expect(try old.readAll(limit: 100) == Array("old".utf8))
    let mask = umask(0)
    umask(mask)
    let status = try FileSystem.status(of: "\(scratch.path)/report.json")
    #expect(status?.permissions == 0o666 & ~mask)
  }

  @Test func aNameAsLongAsTheFileSystemAllowsWorks() throws {
    let name = String(repeating: "r", count: 255)
    try file(name).checkWritable()
    try file(name).write(report)
    #expect(try scratch.read(name) == text)
  }

  @Test func aSymbolicLinkStaysAndItsTargetIsReplaced() throws {
    try scratch.write("real.json", "old")
    try FileSystem.makeSymbolicLink("\(scratch.path)/link.json", to: "real.json")
    try file("link.json").write(report)
    #expect(try FileSystem.status(of: "\(scratch.path)/link.json")?.kind == .symbolicLink)
    #expect(try scratch.read("real.json") == text)
  }

  @Test func aMissingDirectoryIsFoundBeforeTheRun() throws {
    let path = "\(scratch.path)/none/report.json"
    let error = #expect(throws: ReportError.self) { try ReportFile(path: path).checkWritable() }
    let message = try #require(error?.description)
    #expect(message.hasPrefix("cannot write the report to `\(path)`: cannot create `"))
    #expect(message.hasSuffix("No such file or directory; choose another file with `--report`"))
  }

  @Test func aDirectoryIsNoReport() throws {
    let error = #expect(throws: ReportError.self) {
      try ReportFile(path: scratch.path).checkWritable()
    }
    #expect(
      error
        == .unwritable(
          path: scratch.path, reason: "cannot write `\(scratch.path)`: Is a directory"))
  }

  @Test func B107_aFullDeviceIsAnError() throws {
    let full = ReportFile(path: "/dev/full")
    try full.checkWritable()
    #expect(throws: ReportError.self) { try full.write(report) }
    let null = ReportFile(path: "/dev/null")
    try null.checkWritable()
    try null.write(report)
    #expect(try FileSystem.status(of: "/dev/null")?.kind == .other)
  }

  @Test func aPipeIsWrittenToDirectly() throws {
    let path = "\(scratch.path)/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reader = try FileDescriptor(opening: path, O_RDWR)
    let small = Report(head: try ReportSamples.head(.run), files: [])
    try file("pipe").checkWritable()
    try file("pipe").write(small)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
    #expect(Array(bytes[..<count]) == small.json)
    #expect(try FileSystem.status(of: path)?.kind == .other)
  }
}
