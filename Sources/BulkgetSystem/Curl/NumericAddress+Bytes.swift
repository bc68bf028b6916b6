#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension NumericAddress {
  /// The bytes of an address in its usual form: 4, or 16 for IPv6. Nil for anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    var old = in_addr()
    if inet_pton(AF_INET, text, &old) == 1 { return withUnsafeBytes(of: old) { Array($0) } }
    var new = in6_addr()
    guard inet_pton(AF_INET6, text, &new) == 1 else { return nil }
    return withUnsafeBytes(of: new) { unmapped(Array($0)) }
  }

  /// The bytes of a URL's host, where that is an address: also one in a form that only system calls know, such as
  /// `127.1`. IPv6 is in brackets.
  package static func bytes(ofHost host: String) -> [UInt8]? {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return bytes(String(host.dropFirst().dropLast()))
    }
    var address = in_addr()
    guard host.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      inet_aton(host, &address) == 1
    else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
  }

  /// An IPv4 address in IPv6's form is the IPv4 address (RFC 4291 §2.5.5.2).
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.starts(with: prefix) ? Array(bytes[12...]) : bytes
  }
}
