import CCurl

/// What a transfer tells its owner; every call comes on the thread that drives the handle.
package protocol CurlEasyDelegate: AnyObject {
  /// One line of a header with its line end, status lines and the empty line at the end included.
  func curlReceivedHeaderLine(_ line: Span<UInt8>) -> Bool
  /// A piece of the body.
  func curlReceivedBody(_ bytes: RawSpan) -> CurlBodyVerdict
}

/// What becomes of a piece of a body.
package enum CurlBodyVerdict: Sendable {
  case taken
  /// There is no room now: libcurl keeps the piece and brings it again after ``CurlEasy/unpause()``.
  case full
  /// The transfer ends with an error.
  case stop
}

/// What one request differs in; everything else is set once for a handle's life.
package struct CurlRequest: Sendable {
  package var url: String
  /// Lines of the form `Name: value`.
  package var headerLines: [String] = []
  package var isHead = false
  /// The proxy's URL, credentials included; nil to ask the server itself.
  package var proxy: String?
  /// `HOST:PORT:HOST:PORT`: to which host and port the connection goes instead of the URL's.
  package var connection: String?

  package init(url: String) { self.url = url }

  var isEncrypted: Bool { url.hasPrefix("https:") }
}

/// What every request of a handle shares.
package struct CurlSettings: Sendable {
  package var userAgent = "bulkget"
  /// Milliseconds to a connection, TLS included.
  package var connectTimeout = 15_000
  /// Bytes of the receive buffer.
  package var bufferSize = 128 * 1024
  /// A file of trusted certificates in PEM.
  package var certificateAuthorityFile: String?
  package var certificateAuthorityDirectory: String?

  package init() {}
}

/// A reusable transfer of libcurl. Confined to the thread that drives its ``CurlMulti``.
package final class CurlEasy {
  let handle: OpaquePointer
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headerList: CurlTextList?
  private var connectionList: CurlTextList?
  /// Whether TLS's farewell has come; nil where nobody watches for it.
  var farewell: Bool?
  package weak var delegate: (any CurlEasyDelegate)?

  /// Makes a handle; fails where there is no memory or libcurl lacks an option.
  package init(_ settings: CurlSettings) throws(CurlError) {
    CurlLibrary.initialize()
    guard let handle = curl_easy_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
    self.handle = OpaquePointer(handle)
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try configure(settings)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorBuffer.deallocate()
  }

  var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

  private func configure(_ settings: CurlSettings) throws(CurlError) {
    try set(CURLOPT_NOSIGNAL, 1)
    // Paths go out as they are written, dot segments included.
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Who goes past the proxy is decided for each request, whatever the environment says.
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout)
    try set(CURLOPT_BUFFERSIZE, settings.bufferSize)
    try set(CURLOPT_USERAGENT, settings.userAgent)
    if let file = settings.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
    if let directory = settings.certificateAuthorityDirectory { try set(CURLOPT_CAPATH, directory) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(bulkget_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer))
    try check(bulkget_curl_set_pointer(pointer, CURLOPT_PRIVATE, context))
    try check(bulkget_curl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
    try check(bulkget_curl_set_pointer(pointer, CURLOPT_HEADERDATA, context))
    try check(bulkget_curl_set_callback(pointer, CURLOPT_WRITEFUNCTION, receiveBody))
    try check(bulkget_curl_set_callback(pointer, CURLOPT_HEADERFUNCTION, receiveHeaderLine))
  }

  /// Takes up a request. The handle must not be in a ``CurlMulti``.
  package func prepare(_ request: CurlRequest) throws(CurlError) {
    errorBuffer.pointee = 0
    farewell = nil
    try set(CURLOPT_URL, request.url)
    // Over TLS a new request waits for a connection that may turn out to carry streams, rather than opening one of its
    // own. Without TLS nothing is negotiated, and waiting would put one request behind the other.
    try set(
      CURLOPT_HTTP_VERSION,
      Int(request.isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_PIPEWAIT, request.isEncrypted ? 1 : 0)
    try set(CURLOPT_NOBODY, request.isHead ? 1 : 0)
    if !request.isHead { try set(CURLOPT_HTTPGET, 1) }
    // An empty text, and not nothing: with nothing libcurl looks into the environment.
    try set(CURLOPT_PROXY, request.proxy ?? "")
    try set(CURLOPT_HTTPHEADER, request.headerLines, &headerList)
    try set(CURLOPT_CONNECT_TO, request.connection.map { [$0] } ?? [], &connectionList)
  }

  /// Goes on after a ``CurlBodyVerdict/full``; pieces may be delivered before this returns.
  package func unpause() {
    // An error here ends the transfer, and its message says so.
    _ = curl_easy_pause(pointer, CURLPAUSE_CONT)
  }

  /// Whether the request is on its way: name, connection and TLS are done.
  package var isConnected: Bool {
    var microseconds = 0
    return bulkget_curl_get_long(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK
      && microseconds > 0
  }

  /// The status of a proxy's answer to CONNECT; 0 where there was none.
  package var proxyStatus: Int {
    var status = 0
    return bulkget_curl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK
      ? status : 0
  }

  func error(_ code: CURLcode) -> CurlError {
    CurlError(code, detail: String(cString: errorBuffer))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(bulkget_curl_set_long(pointer, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(CurlError) {
    try check(bulkget_curl_set_text(pointer, option, value))
  }

  private func set(
    _ option: CURLoption, _ lines: [String], _ kept: inout CurlTextList?
  ) throws(CurlError) {
    if kept?.lines == lines || (kept == nil && lines.isEmpty) { return }
    let list = try CurlTextList(lines)
    try check(bulkget_curl_set_list(pointer, option, list.pointer))
    kept = list
  }

  private func check(_ code: CURLcode) throws(CurlError) {
    if code != CURLE_OK { throw CurlError(code) }
  }

  /// Moves between two multis; `borrowed` handles come back in messages.
  static func owner(of pointer: UnsafeMutableRawPointer) -> CurlEasy? {
    var context: UnsafeMutableRawPointer?
    guard bulkget_curl_get_pointer(pointer, CURLINFO_PRIVATE, &context) == CURLE_OK, let context
    else { return nil }
    return Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
  }
}

@available(*, unavailable)
extension CurlEasy: Sendable {}

/// A list of texts, kept for as long as a handle may use it.
private final class CurlTextList {
  let lines: [String]
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) throws(CurlError) {
    self.lines = lines
    for line in lines {
      guard let longer = curl_slist_append(pointer, line) else {
        throw CurlError(CURLE_OUT_OF_MEMORY)
      }
      pointer = longer
    }
  }

  deinit {
    curl_slist_free_all(pointer)
  }
}

/// The library's one initialisation, which must come before any handle and isn't thread-safe in old versions.
private enum CurlLibrary {
  private static let once: Void = { _ = curl_global_init(Int(CURL_GLOBAL_ALL)) }()
  static func initialize() { _ = once }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context, let bytes else { return 0 }
  let easy = Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
  let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
  switch easy.delegate?.curlReceivedBody(buffer.bytes) {
  case .taken: return buffer.count
  case .full: return Int(CURL_WRITEFUNC_PAUSE)
  // Any other count than the given one ends the transfer with CURLE_WRITE_ERROR.
  case .stop, nil: return buffer.isEmpty ? 1 : 0
  }
}

private func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context, let bytes else { return 0 }
  let easy = Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
  let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return buffer.withMemoryRebound(to: UInt8.self) { line in
    easy.delegate?.curlReceivedHeaderLine(line.span) == true ? line.count : 0
  }
}
