import CCurl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Host names outside ASCII, through libcurl's IDNA.
package enum InternationalHost {
  /// The A-labels of a host name (RFC 5890 §2.3.2.1); nil where it is no valid name or libcurl lacks IDNA.
  package static func asciiForm(of host: String) -> String? {
    withUTF8Locale { convert(host) }
  }

  private static func convert(_ host: String) -> String? {
    guard BULKGET_CURLU_PUNYCODE != 0, let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_SCHEME, "http", 0) == CURLUE_OK,
      curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK
    else { return nil }
    var result: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, CURLUPART_HOST, &result, UInt32(BULKGET_CURLU_PUNYCODE)) == CURLUE_OK,
      let result
    else { return nil }
    defer { curl_free(result) }
    return String(cString: result)
  }

  /// libidn2 takes a name in the locale's encoding, and a program starts in the C locale. This thread gets one of UTF-8
  /// for the time of the call; the process's own is not touched.
  private static func withUTF8Locale<Result>(_ body: () -> Result) -> Result {
    for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] {
      guard let locale = newlocale(CInt(LC_CTYPE_MASK), name, nil) else { continue }
      let previous = uselocale(locale)
      defer {
        uselocale(previous)
        freelocale(locale)
      }
      return body()
    }
    return body()
  }
}

/// Numeric addresses.
package enum NumericAddress {
  /// Whether `text` is an IPv6 address without brackets or zone (RFC 4291 §2.2).
  package static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1
  }

  /// Whether `text` is the IPv6 address ::1, or one of 127.0.0.0/8 in IPv6's form (RFC 4291 §2.5.3 and §2.5.5.2).
  package static func isIPv6Loopback(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    let zeros = [UInt8](repeating: 0, count: 10)
    return bytes == zeros + [0, 0, 0, 0, 0, 1] || bytes.starts(with: zeros + [0xFF, 0xFF, 127])
  }
}
