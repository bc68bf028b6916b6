import CCurl

/// A set of transfers that go on together and share connections. Confined to one thread but for ``Waker``.
package final class CurlMulti {
  private let handle: OpaquePointer
  /// Keeps the handles that libcurl works with.
  private var members: [ObjectIdentifier: CurlEasy] = [:]

  /// Makes an empty set that keeps up to `maximumIdleConnections` connections for later requests.
  package init(maximumIdleConnections: Int) throws(CurlError) {
    guard let handle = curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
    self.handle = OpaquePointer(handle)
    try check(bulkget_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, maximumIdleConnections))
  }

  deinit {
    for easy in members.values { curl_multi_remove_handle(pointer, easy.pointer) }
    curl_multi_cleanup(pointer)
  }

  private var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

  /// How many transfers are under way.
  package var count: Int { members.count }

  /// Starts a prepared transfer.
  package func add(_ easy: CurlEasy) throws(CurlError) {
    try check(curl_multi_add_handle(pointer, easy.pointer))
    members[ObjectIdentifier(easy)] = easy
  }

  /// Ends a transfer where it stands, or takes out a finished one.
  package func remove(_ easy: CurlEasy) {
    guard members.removeValue(forKey: ObjectIdentifier(easy)) != nil else { return }
    // Fails only for a handle that is not a member.
    curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting; the handles' delegates are called from here.
  package func perform() throws(CurlError) {
    var running: CInt = 0
    try check(curl_multi_perform(pointer, &running))
  }

  /// The next transfer that has ended; the caller removes it. The error is nil where it went well.
  package func nextFinished() -> (easy: CurlEasy, error: CurlError?)? {
    var remaining: CInt = 0
    while let message = curl_multi_info_read(pointer, &remaining) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let owner = CurlEasy.owner(of: easy)
      else { continue }
      let code = bulkget_curl_message_result(message)
      return (owner, code == CURLE_OK ? nil : owner.error(code))
    }
    return nil
  }

  /// Waits for activity, a wake-up, or `milliseconds`.
  package func poll(milliseconds: Int) throws(CurlError) {
    try check(curl_multi_poll(pointer, nil, 0, CInt(milliseconds), nil))
  }

  /// What wakes this set's thread up; it must not be used after the set is gone.
  package var waker: Waker { Waker(handle: handle) }

  /// Ends a ``CurlMulti/poll(milliseconds:)`` from another thread.
  ///
  /// `@unchecked Sendable`: curl_multi_wakeup is the one function that libcurl allows from any thread.
  package struct Waker: @unchecked Sendable {
    fileprivate let handle: OpaquePointer

    package func wake() {
      // Fails only where the pipe is full, and then a wake-up is pending anyway.
      curl_multi_wakeup(UnsafeMutableRawPointer(handle))
    }
  }

  private func check(_ code: CURLMcode) throws(CurlError) {
    if code != CURLM_OK { throw CurlError(multi: code) }
  }
}

@available(*, unavailable)
extension CurlMulti: Sendable {}

/// Dates of HTTP (RFC 9110 §5.6.7), the obsolete forms included.
package enum HTTPDate {
  /// Seconds since 1970; nil where `text` is no date.
  package static func seconds(_ text: String) -> Int64? {
    let result = curl_getdate(text, nil)
    return result == -1 ? nil : Int64(result)
  }
}
