import CCurl

/// The farewell of TLS (close_notify, RFC 8446 §6.1), without which an end of the connection may be an attacker's.
///
/// libcurl takes a connection that just ends for one that was closed. That is harmless where a length or a last chunk
/// marks the end of a body, and wrong where nothing else does.
extension CurlEasy {
  /// Watches the current connection; to be called during a transfer, from one of the delegate's methods. Does nothing
  /// without TLS.
  package func watchForFarewell() {
    guard let session = bulkget_curl_tls_session(pointer) else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    // The session goes with its connection, which has only this transfer and ends with it at the latest.
    guard SSL_set_ex_data(session, FarewellWatch.index, context) == 1 else { return }
    SSL_set_info_callback(session, noteAlert)
    farewell = false
  }

  /// Whether the connection was watched and has ended without a farewell.
  package var missedFarewell: Bool { farewell == false }
}

private enum FarewellWatch {
  /// Where a session keeps its transfer.
  static let index = bulkget_tls_make_index()
}

private func noteAlert(_ session: OpaquePointer?, _ event: CInt, _ alert: CInt) {
  guard bulkget_tls_is_farewell(event, alert) != 0,
    let context = SSL_get_ex_data(session, FarewellWatch.index)
  else { return }
  Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue().farewell = true
}
