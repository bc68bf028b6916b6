import BulkgetSystem
import TestSupport
import Testing

@Suite struct MessageDigestTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    (MessageDigestAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func theStandardsOwnExampleHashesAsItSays(algorithm: MessageDigestAlgorithm, text: String) throws
  {
    let digest = try #require(MessageDigest(algorithm))
    #expect(hexadecimal(digest.digest(of: "abc")) == text)
  }

  @Test(arguments: MessageDigestAlgorithm.allCases)
  func aDigestHasItsAlgorithmsLength(algorithm: MessageDigestAlgorithm) throws {
    #expect(try #require(MessageDigest(algorithm)).finish().count == algorithm.byteCount)
  }

  @Test func aFinishedDigestStartsAnew() throws {
    let digest = try #require(MessageDigest(.sha256))
    let first = digest.digest(of: "abc")
    #expect(digest.digest(of: "other") != first)
    #expect(digest.digest(of: "abc") == first)
  }

  @Test func piecesHashLikeTheWhole() throws {
    let digest = try #require(MessageDigest(.sha512))
    let bytes = [UInt8](repeating: 9, count: 1000)
    for start in stride(from: 0, to: 1000, by: 100) {
      bytes[start..<start + 100].withUnsafeBytes { digest.update($0) }
    }
    let pieces = digest.finish()
    bytes.withUnsafeBytes { digest.update($0) }
    #expect(digest.finish() == pieces)
  }

  @Test func aPipeInAFilesPlaceIsRefusedAtOnce() throws {
    let root = try TemporaryDirectory()
    let path = root.path("pipe")
    try makePipe(path)
    #expect(throws: FileDigests.Refusal.notAFile) {
      try FileDigests(of: path, [.sha256], isCancelled: { false })
    }
  }
}
