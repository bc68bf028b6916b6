import CCrypto

/// The digest algorithms that bulkget knows, by OpenSSL's names.
package enum MessageDigestAlgorithm: String, CaseIterable, Sendable {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha384 = "SHA384"
  case sha512 = "SHA512"

  /// The length of a digest in bytes.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}

/// An algorithm fetched from the library once: OpenSSL 3 otherwise looks it up for every digest, which costs more
/// than hashing a small file.
///
/// `@unchecked Sendable`: an EVP_MD is immutable after it was fetched, and is never freed.
private struct FetchedAlgorithm: @unchecked Sendable {
  let pointer: OpaquePointer

  static let all: [MessageDigestAlgorithm: FetchedAlgorithm] = {
    var fetched: [MessageDigestAlgorithm: FetchedAlgorithm] = [:]
    for algorithm in MessageDigestAlgorithm.allCases {
      guard let pointer = EVP_MD_fetch(nil, algorithm.rawValue, nil) else { continue }
      fetched[algorithm] = FetchedAlgorithm(pointer: pointer)
    }
    return fetched
  }()
}

/// A digest that grows with the bytes it is given. Confined to one thread at a time by its owner.
package final class MessageDigest {
  private let context: OpaquePointer
  private let fetched: OpaquePointer
  package let algorithm: MessageDigestAlgorithm

  /// Starts an empty digest; nil where the library doesn't offer the algorithm (MD5 in a FIPS build).
  package init?(_ algorithm: MessageDigestAlgorithm) {
    guard let fetched = FetchedAlgorithm.all[algorithm]?.pointer, let context = EVP_MD_CTX_new()
    else { return nil }
    guard EVP_DigestInit_ex2(context, fetched, nil) == 1 else {
      EVP_MD_CTX_free(context)
      return nil
    }
    self.algorithm = algorithm
    self.context = context
    self.fetched = fetched
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    // Fails only for a context that was not initialised, which `init` rules out.
    let result = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(result == 1, "EVP_DigestUpdate failed")
  }

  /// Ends the digest, gives its bytes, and starts an empty one.
  package func finish() -> [UInt8] {
    let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      let result = EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
      precondition(result == 1, "EVP_DigestFinal_ex failed")
      count = Int(length)
    }
    let result = EVP_DigestInit_ex2(context, fetched, nil)
    precondition(result == 1, "EVP_DigestInit_ex2 failed")
    return digest
  }

  /// The digest of one text's UTF-8 bytes.
  package func digest(of text: String) -> [UInt8] {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    return finish()
  }
}
