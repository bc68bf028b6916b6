import TestSupport

/// One of the files that are downloaded through a storm.
struct StormFile: Sendable {
  let number: Int
  let byteCount: Int64
  /// Whether the manifest gives the file's digest. Such a file gets new entity tags and keeps its bytes, as after a
  /// deployment; one without gets new bytes of the same number with each tag, so that only the tag shows a mixture.
  let hasDigest: Bool

  init(_ number: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed ^ UInt64(number) << 20)
    self.number = number
    hasDigest = number.isMultiple(of: 2)
    // Parts of less than 1 MiB are not resumed, so some files have to be larger than that.
    byteCount = Int64(
      number % 5 == 0 ? 1_300_000 + generator.draw(2_000_000) : 1 + generator.draw(40_000))
  }

  var path: String { "/\(number).bin" }
  var isLarge: Bool { byteCount > 1 << 20 }

  func body(_ version: Int) -> Body {
    .pseudoRandom(byteCount, seed: UInt64(number * 1_000 + (hasDigest ? 0 : version)))
  }

  func resource(_ version: Int) -> Resource {
    Resource(body(version), etag: "\"\(number)-\(version)\"")
  }

  /// The entry of the manifest.
  func entry(_ url: String) -> String {
    let digest = hasDigest ? ", sha256: \(body(0).hexadecimalDigest())" : ""
    return "  - {id: \"\(number)\", url: \"\(url)\", dest: \"\(number).bin\"\(digest)}"
  }
}
