import BulkgetKit
import Testing

@Suite struct DigestTests {
  @Test(arguments: DigestAlgorithm.allCases)
  func aDigestHasItsAlgorithmsLength(algorithm: DigestAlgorithm) {
    let bytes = [UInt8](repeating: 7, count: algorithm.byteCount)
    #expect(Digest(algorithm, bytes: bytes)?.bytes == bytes)
    #expect(Digest(algorithm, bytes: bytes + [0]) == nil)
    #expect(Digest(algorithm, bytes: Array(bytes.dropLast())) == nil)
  }

  @Test func hexadecimalDigitsGoBothWays() throws {
    let text = "000102030405060708090a0b0c0d0e0f"
    let digest = try #require(Digest(.md5, hexadecimal: text))
    #expect(digest.bytes == Array(0...15))
    #expect(digest.hexadecimal == text)
    #expect(Digest(.md5, hexadecimal: text.uppercased()) == digest)
    #expect(digest.description == "md5:" + text)
  }

  @Test(arguments: [
    "", "0", "000102030405060708090a0b0c0d0e0", "000102030405060708090a0b0c0d0e0g",
    "000102030405060708090a0b0c0d0e0f0", "000102030405060708090a0b0c0d0e 0",
    "０00102030405060708090a0b0c0d0e",
  ])
  func otherTextsAreNoDigests(text: String) {
    #expect(Digest(.md5, hexadecimal: text) == nil)
  }

  @Test func algorithmsAreOrderedByStrength() {
    #expect(DigestAlgorithm.allCases.sorted() == [.md5, .sha1, .sha256, .sha384, .sha512])
    #expect(DigestAlgorithm.allCases.filter(\.isStrong) == [.sha256, .sha384, .sha512])
  }
}
