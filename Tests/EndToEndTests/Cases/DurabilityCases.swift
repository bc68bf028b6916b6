import BulkgetSystem
import Foundation
import TestSupport
import Testing

/// What `--durable` flushes, and in which order: seen from outside, as the system calls of the real program.
@Suite(
  .blocking,
  .enabled(
    if: SystemCallTracer.obstacle == nil, Comment(rawValue: SystemCallTracer.obstacle ?? "")))
struct DurabilityCases {
  /// The system calls of one run that flush, rename or make directories, one a line.
  private struct Trace {
    let lines: [String]

    init(_ site: CaseSite, _ entry: String, _ options: [String]) throws {
      let launch = try site.launch("run", [entry], options)
      let calls = "fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,linkat,symlinkat"
      let run = try site.run(launch.traced(["-y", "-e", "trace=" + calls, "-o", "trace"]))
      #expect(run.exitStatus == 0, "\(run)")
      lines = String(decoding: try site.directory.read("trace"), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }

    /// The number of the first line after `start` with both texts.
    func first(_ name: String, _ text: String, after start: Int = -1) throws -> Int {
      try #require(
        lines.indices.first { $0 > start && lines[$0].contains(name) && lines[$0].contains(text) },
        "no \(name) of \(text) after line \(start) of:\n\(lines.joined(separator: "\n"))")
    }
  }

  private func site() throws -> CaseSite { try CaseSite(["*": [.file(Resource("durable"))]]) }

  @Test func fileDirectoryAndIndexAreFlushedInThisOrder() throws {
    let site = try site()
    let trace = try Trace(site, site.entry(), ["--durable"])
    let file = try trace.first("sync(", "/cache/partial/")
    let renamed = try trace.first("rename", "/cache/files/", after: file)
    let directory = try trace.first("sync(", "/cache/files/default>", after: renamed)
    _ = try trace.first("sync(", "index.sqlite", after: directory)
    let copy = try trace.first("sync(", "/out/.bulkget-")
    let placed = try trace.first("rename", "\"a.bin\"", after: copy)
    _ = try trace.first("sync(", "/out>", after: placed)
  }

  @Test func newDirectoriesAreFlushedIntoTheirParents() throws {
    let site = try site()
    let trace = try Trace(site, site.entry("a", dest: "new/deep/a.bin"), ["--durable"])
    for (made, parent) in [
      ("/cache\"", site.directory.path), ("/cache/files\"", "/cache"),
      ("/cache/files/default\"", "/cache/files"), ("/out\"", site.directory.path),
      ("\"new\"", "/out"), ("\"deep\"", "/out/new"),
    ] {
      // The last try is the one that had a parent.
      let line = try #require(
        trace.lines.indices.last {
          trace.lines[$0].contains("mkdir") && trace.lines[$0].contains(made)
        }, "\(made) \(trace.lines)")
      _ = try trace.first("sync(", parent + ">", after: line)
    }
  }

  /// The cached file may be from a run that flushed nothing.
  @Test(arguments: ["hardlink", "symlink"])
  func whatIsLinkedIsFlushedFirst(mode: String) throws {
    let site = try site()
    #expect(try site.run(site.entry()).exitStatus == 0)
    try FileSystem.remove(site.directory.path("out/a.bin"))
    let trace = try Trace(site, site.entry(), ["--durable", "--link", mode])
    let file = try trace.first("sync(", "/cache/files/default/")
    let linked = try trace.first("linkat(", ".bulkget-", after: file)
    _ = try trace.first("sync(", "/out>", after: linked)
  }

  @Test func withoutItNothingIsFlushed() throws {
    let site = try site()
    let trace = try Trace(site, site.entry(), [])
    #expect(!trace.lines.contains { $0.contains("sync(") }, "\(trace.lines)")
  }
}
