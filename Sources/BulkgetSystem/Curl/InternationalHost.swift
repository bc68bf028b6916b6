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
}

/// Numeric addresses.
package enum NumericAddress {
  /// Whether `text` is an IPv6 address without brackets or zone (RFC 4291 §2.2).
  package static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1
  }
}
