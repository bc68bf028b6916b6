import BulkgetSystem
import TestSupport

/// A file that the server has.
struct ServedFile: Hashable, Sendable {
  let name: String
  let byteCount: Int64
  /// SHA-256 in lower-case hexadecimal digits.
  let digest: String
}

/// The server's directory, to which sets of files are added when they are needed.
struct ServedDirectory: Sendable {
  let root: String

  /// Makes the files of a set, or nothing where they are there already, and describes them.
  func add(_ set: FileSet, scale: Double, _ interruption: Interruption) throws -> [ServedFile] {
    let directory = "\(root)/\(set.name)"
    let isThere = try FileSystem.status(of: directory) != nil
    try FileSystem.makeDirectories(directory)
    return try set.byteCounts(scale: scale).enumerated().map { index, byteCount in
      try interruption.check()
      let body = set.body(index, byteCount: byteCount)
      let name = set.fileName(index)
      if !isThere { try Self.write(body, to: "\(directory)/\(name)") }
      return ServedFile(name: name, byteCount: byteCount, digest: body.hexadecimalDigest())
    }
  }

  private static func write(_ body: PseudoRandomBody, to path: String) throws {
    let file = try FileDescriptor.creating(path, mode: 0o644)
    var offset: Int64 = 0
    while offset < body.count {
      let end = min(body.count, offset + 1 << 22)
      try file.write(body[offset..<end])
      offset = end
    }
  }
}
