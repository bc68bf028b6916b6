import BulkgetKit
import BulkgetSystem

/// Compares everything that a contender left with what the server has.
struct OutputCheck: Sendable {
  private let root: String
  private let expected: [String: ServedFile]

  init(_ job: Job, of tool: Tool) {
    guard tool == .bulkget else {
      root = job.output
      expected = Self.byPath(job) { job.path(of: $0) }
      return
    }
    let layout = CacheLayout(directory: job.output)
    let type = FileType("bin")
    root = layout.filesDirectory
    expected = Self.byPath(job) { layout.path(of: $0.cacheKey, type: type) }
  }

  private static func byPath(
    _ job: Job, _ path: (ServedFile) -> String
  ) -> [String: ServedFile] {
    Dictionary(job.files.map { (path($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What is wrong, or nil.
  func failure(_ interruption: Interruption) throws -> String? {
    let found = try Set(Self.paths(below: root))
    var wrong: [String] = []
    for (path, file) in expected {
      try interruption.check()
      if !found.contains(path) {
        wrong.append("`\(file.name)` is missing")
      } else if let difference = try Self.difference(between: path, and: file) {
        wrong.append("`\(file.name)` \(difference)")
      }
    }
    let unexpected = found.filter { expected[$0] == nil }
    wrong += unexpected.map { "`\($0.dropFirst(root.count + 1))` is unexpected" }
    guard let first = wrong.min() else { return nil }
    return wrong.count == 1 ? first : "\(first), and \(wrong.count - 1) more are wrong"
  }

  private static func difference(between path: String, and file: ServedFile) throws -> String? {
    let content = try FileDigests(of: path, [.sha256]) { false }
    if content.status.size != file.byteCount {
      return "has \(content.status.size) bytes rather than \(file.byteCount)"
    }
    let isEqual = Digest(.sha256, hexadecimal: file.digest)?.bytes == content.digests.first
    return isEqual ? nil : "has other bytes"
  }

  private static func paths(below directory: String) throws -> [String] {
    try (FileSystem.names(in: directory) ?? []).flatMap { name in
      let path = "\(directory)/\(name)"
      return FileSystem.isDirectory(path) ? try paths(below: path) : [path]
    }
  }
}
