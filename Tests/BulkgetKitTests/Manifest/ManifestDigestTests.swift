import BulkgetKit
import Testing

@Suite struct ManifestDigestTests {
  private let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  @Test func B032_capitalsAreTheSameDigest() throws {
    let lower = try entry("sha256: \(sha256)").digests
    #expect(try entry("sha256: \(sha256.uppercased())").digests == lower)
    let mixed = sha256.enumerated().map {
      $0.offset % 2 == 0 ? $0.element.uppercased() : "\($0.element)"
    }
    #expect(try entry("sha256: \(mixed.joined())").digests == lower)
    #expect(lower.map(\.description) == ["sha256:\(sha256)"])
  }

  @Test(arguments: ["sha256:", "SHA256:", "sha256-"])
  func B032_aPrefixIsToBeLeftOff(prefix: String) {
    let text = entryText("sha256: \(prefix)\(sha256)")
    #expect(problems(text) == ["4:13 `sha256` wants the digits alone"])
    #expect(hints(text) == ["leave the prefix `\(prefix)` off"])
  }

  @Test(arguments: [
    ("sha1", "1234567890123456789e01234567890123456789"),
    ("sha256", "1234567890123456789012345678901234567890123456789012345678901234"),
    ("sha256", "0000000000000000000000000000000000000000000000000000000000000012"),
    ("md5", "00000000000000000000000000000e10"),
  ])
  func B094_digestsThatLookLikeNumbersKeepEveryDigit(key: String, digits: String) throws {
    let digest = try #require(try entry("\(key): \(digits)").digests.first)
    #expect(digest.hexadecimal == digits)
    #expect(digest.algorithm.rawValue == key)
  }

  @Test(arguments: [("md5", 32), ("sha1", 40), ("sha256", 64), ("sha384", 96), ("sha512", 128)])
  func everyAlgorithmHasItsLength(key: String, count: Int) throws {
    let digits = String(repeating: "a", count: count)
    #expect(try entry("\(key): \(digits)").digests.count == 1)
    #expect(
      problems(entryText("\(key): \(digits.dropLast())")) == [
        "4:\(key.count + 7) `\(key)` must be \(count) hexadecimal digits, found \(count - 1)"
      ])
    #expect(problems(entryText("\(key): \(digits)0")).count == 1)
    #expect(
      problems(entryText("\(key): g\(digits.dropFirst())")) == [
        "4:\(key.count + 7) `\(key)` must be \(count) hexadecimal digits, found another character"
      ])
  }

  @Test func theLengthOfAnotherAlgorithmIsNamed() {
    let text = entryText("sha256: " + String(repeating: "a", count: 40))
    #expect(hints(text) == ["40 digits are a `sha1`"])
  }

  @Test func severalDigestsAllCount() throws {
    let entry = try entry("sha256: \(sha256)\nmd5: 098f6bcd4621d373cade4e832627b4f6")
    #expect(entry.digests.map(\.algorithm) == [.sha256, .md5])
  }

  @Test func aDigestMayComeFromAVariable() throws {
    let text = "variables: {d: \(sha256)}\n" + entryText("sha256: ${d}")
    #expect(try manifest(text).entries[0].digests.map(\.hexadecimal) == [sha256])
  }

  @Test func integrityIsBase64() throws {
    let text = "integrity: sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
    #expect(try entry(text).digests.map(\.hexadecimal) == [sha256])
  }

  @Test(arguments: [
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg",
    "sha256-n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg=",
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=?ct=text",
    "sha1-qUqP5cyxm6YcTAhz05Hph5gvu9M= sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=  sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
  ])
  func integrityHasManyForms(text: String) throws {
    #expect(try entry("integrity: '\(text)'").digests.map(\.hexadecimal) == [sha256])
  }

  @Test func theStrongestAlgorithmDecides() throws {
    let sha512 =
      "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    let text =
      "integrity: sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg= sha512-\(sha512)"
    #expect(try entry(text).digests.map(\.algorithm) == [.sha512])
  }

  @Test(arguments: [
    "sha256", "sha256-", "sha256-abc", "sha224-abcd", "n4bQgYhMfWWaL",
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgh=",
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg==",
    "sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwC*g=",
  ])
  func otherIntegrityIsRefused(text: String) {
    #expect(
      problems(entryText("integrity: \(text)")) == [
        "4:16 `integrity` is `algorithm-BASE64`, such as `sha256-` and 44 characters"
      ])
  }

  @Test func emptyIntegrityIsRefused() {
    #expect(problems(entryText("integrity: '  '")) == ["4:16 `integrity` is empty"])
  }

  @Test func noFileHasTwoDigestsOfOneAlgorithm() {
    let zeros = String(repeating: "0", count: 64)
    #expect(
      problems(
        entryText(
          "sha256: \(zeros)\nintegrity: sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="))
        == ["5:16 the entry has two different sha256 digests"])
  }

  @Test func theSameDigestTwiceCountsOnce() throws {
    let text = "sha256: \(sha256)\nintegrity: sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
    #expect(try entry(text).digests.count == 1)
  }
}
