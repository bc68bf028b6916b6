/// What carries requests to servers and brings the bytes back. The real one is ``CurlTransfers``.
package protocol Transferring: Sendable {
  /// Starts a request. The receiver's calls come one after another, never before this returns on the caller's
  /// thread with a lock held by it; ``TransferReceiver/transferEnded(_:)`` comes exactly once and is the last.
  func start(_ request: TransferRequest, receiver: any TransferReceiver) -> TransferID

  /// Goes on after the receiver had no room.
  func proceed(_ id: TransferID)

  /// Ends a transfer; the receiver is told so, unless it has ended by itself.
  func cancel(_ id: TransferID)

  /// Ends everything that is under way. Nothing may be started afterwards.
  func stop()
}

/// What names a transfer that was started.
package struct TransferID: Hashable, Sendable {
  let number: UInt64
}

/// A request with the method GET, or HEAD.
package struct TransferRequest: Hashable, Sendable {
  /// The URL without user information.
  package var url: String
  /// Whose places the request takes, as ``ResourceURL/hostName`` gives it.
  package var host: String
  /// Lines of the form `Name: value`.
  package var headerLines: [String]
  package var isHead = false
  /// Nil to ask the server itself.
  package var proxy: ProxyAddress?

  /// Where to connect to, as `HOST:PORT:HOST:PORT`, where the system can't look the URL's host up; else nil.
  ///
  /// A resolver takes a name with a dot at the end for one of the DNS only, which `localhost.` is not (RFC 6761 §6.3).
  package var connection: String?
}

/// Who takes a response. Called on the transport's own thread, which must not be held up.
package protocol TransferReceiver: AnyObject, Sendable {
  /// The header is complete. False ends the transfer as ``TransferFault/stopped``.
  func transferReceivedHead(_ head: ResponseHead) -> Bool
  /// A piece of the body.
  func transferReceivedBody(_ bytes: RawSpan) -> BodyVerdict
  /// The transfer has ended; nil is an end without a fault, as the transport can tell.
  func transferEnded(_ fault: TransferFault?)
}

/// What becomes of a piece of a body.
package enum BodyVerdict: Sendable {
  case taken
  /// No room: the piece comes again after ``Transferring/proceed(_:)``.
  case full
  /// The transfer ends as ``TransferFault/stopped``.
  case stop
}

/// Why a transfer ended before its response did. The texts are for people and carry no secrets.
package enum TransferFault: Error, Hashable, Sendable {
  /// ``Transferring/cancel(_:)`` or ``Transferring/stop()``.
  case cancelled
  /// The receiver didn't want more.
  case stopped
  case nameResolution(String)
  case connection(String)
  case connectTimeout
  /// Less than 1 KiB arrived during the stall time.
  case stalled
  /// The status of the proxy's answer, where it gave one.
  case proxy(String, status: Int?)
  /// The server's certificate is not trusted.
  case certificate(String)
  /// The file of trusted certificates is unusable.
  case certificateFile(String)
  case tls(String)
  /// The body ended before its announced length or its last chunk.
  case truncated(String)
  /// The connection broke.
  case reset(String)
  /// The peer doesn't speak HTTP.
  case malformed(String)
  case tooManyOpenFiles
}
