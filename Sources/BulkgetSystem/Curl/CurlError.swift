import CCurl

/// A result code of libcurl other than success.
package struct CurlError: Error, Hashable, CustomStringConvertible {
  /// The number of the CURLcode.
  package let code: UInt32
  /// What libcurl says of this very failure, or its general sentence; it may name hosts, never credentials.
  package let description: String

  package init(code: UInt32, description: String) {
    self.code = code
    self.description = description
  }

  init(_ code: CURLcode, detail: String = "") {
    self.code = code.rawValue
    description = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
  }

  init(multi code: CURLMcode) {
    self.code = CURLE_FAILED_INIT.rawValue
    description = String(cString: curl_multi_strerror(code))
  }

  /// What a failed transfer's code means, as far as callers treat failures differently.
  package enum Kind: Sendable {
    case nameResolution, connection, proxy, connectTimeout, certificate, certificateFile, tls
    case truncated, receive, empty, http2, tooManyOpenFiles, memory, misuse
    /// The write or header callback ended the transfer.
    case stopped
    /// The peer said something that is no HTTP.
    case malformed
  }

  package var kind: Kind { Self.kinds[code] ?? .malformed }

  private static let kinds: [UInt32: Kind] = [
    CURLE_COULDNT_RESOLVE_HOST.rawValue: .nameResolution,
    CURLE_COULDNT_RESOLVE_PROXY.rawValue: .proxy,
    CURLE_PROXY.rawValue: .proxy,
    CURLE_COULDNT_CONNECT.rawValue: .connection,
    // Only CURLOPT_CONNECTTIMEOUT_MS is set, so a time-out is one of connecting.
    CURLE_OPERATION_TIMEDOUT.rawValue: .connectTimeout,
    CURLE_PEER_FAILED_VERIFICATION.rawValue: .certificate,
    CURLE_SSL_ISSUER_ERROR.rawValue: .certificate,
    CURLE_SSL_CACERT_BADFILE.rawValue: .certificateFile,
    CURLE_SSL_CONNECT_ERROR.rawValue: .tls,
    CURLE_SSL_CIPHER.rawValue: .tls,
    CURLE_USE_SSL_FAILED.rawValue: .tls,
    CURLE_PARTIAL_FILE.rawValue: .truncated,
    CURLE_RECV_ERROR.rawValue: .receive,
    CURLE_SEND_ERROR.rawValue: .receive,
    CURLE_AGAIN.rawValue: .receive,
    // The connection closed before the first byte of an answer.
    CURLE_GOT_NOTHING.rawValue: .empty,
    CURLE_HTTP2.rawValue: .http2,
    CURLE_HTTP2_STREAM.rawValue: .http2,
    CURLE_WRITE_ERROR.rawValue: .stopped,
    CURLE_ABORTED_BY_CALLBACK.rawValue: .stopped,
    CURLE_OUT_OF_MEMORY.rawValue: .memory,
    CURLE_BAD_FUNCTION_ARGUMENT.rawValue: .misuse,
    CURLE_FAILED_INIT.rawValue: .misuse,
    CURLE_URL_MALFORMAT.rawValue: .misuse,
  ]
}
