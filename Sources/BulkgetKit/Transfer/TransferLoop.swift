import BulkgetSystem

/// The thread's own part of ``CurlTransfers``: takes commands, lets libcurl work, ends what stands still.
///
/// `@unchecked Sendable`: after its creation it is used by the one thread that calls ``run()``, but for the inbox,
/// which is Sendable by itself.
final class TransferLoop: @unchecked Sendable {
  let inbox: TransferInbox
  private let multi: CurlMulti
  private let settings: CurlSettings
  private let stallTimeout: Duration
  private let limiter: RateLimiter?
  private var active: [TransferID: ActiveTransfer] = [:]
  /// Handles without a transfer. Reusing them saves their set-up, which costs more than a small request.
  private var idle: [CurlEasy] = []
  private var isStopped = false
  private var nextStallCheck = ContinuousClock.now

  /// How often transfers are looked at for silence.
  private static let stallCheckInterval = Duration.milliseconds(250)

  init(
    _ settings: CurlSettings, stallTimeout: Duration, maximumIdleConnections: Int,
    bytesPerSecond: Int64? = nil
  ) throws(CurlError) {
    limiter = bytesPerSecond.map { RateLimiter(bytesPerSecond: $0) }
    multi = try CurlMulti(maximumIdleConnections: maximumIdleConnections)
    inbox = TransferInbox(waker: multi.waker)
    self.settings = settings
    self.stallTimeout = stallTimeout
  }

  /// Runs until it is told to stop.
  func run() {
    while !isStopped {
      for command in inbox.takeAll() { perform(command) }
      do throws(CurlError) {
        while let id = limiter?.next() { active[id]?.proceed() }
        try multi.perform()
        endFinished()
        endStalled()
        // A command that came meanwhile has left a wake-up behind, so this doesn't sleep through it.
        let patience = active.isEmpty ? 3_600_000 : 250
        if !isStopped {
          try multi.poll(milliseconds: min(patience, limiter?.milliseconds ?? patience))
        }
      } catch {
        // Out of memory or descriptors: nothing can go on, and each transfer is told so.
        endAll(.malformed(error.description))
      }
    }
    for case .start(_, _, let receiver) in inbox.close() { receiver.transferEnded(.cancelled) }
    endAll(.cancelled)
  }

  private func perform(_ command: TransferInbox.Command) {
    switch command {
    case .start(let id, let request, let receiver): start(id, request, receiver)
    case .proceed(let id): active[id]?.proceed()
    case .cancel(let id): active[id].map { end($0, .cancelled) }
    case .stop: isStopped = true
    }
  }

  private func start(
    _ id: TransferID, _ request: TransferRequest, _ receiver: any TransferReceiver
  ) {
    if isStopped { return receiver.transferEnded(.cancelled) }
    do throws(CurlError) {
      let easy = if let reused = idle.popLast() { reused } else { try CurlEasy(settings) }
      var curlRequest = CurlRequest(url: request.url)
      curlRequest.headerLines = request.headerLines
      curlRequest.isHead = request.isHead
      curlRequest.proxy = request.proxy?.text
      curlRequest.connection = request.connection
      try easy.prepare(curlRequest)
      let transfer = ActiveTransfer(id, easy, receiver, limiter)
      try multi.add(easy)
      active[id] = transfer
    } catch {
      receiver.transferEnded(TransferFault(error, connected: false))
    }
  }

  private func endFinished() {
    while let (easy, error) = multi.nextFinished() {
      guard let transfer = easy.delegate as? ActiveTransfer else { continue }
      end(transfer, error.map { transfer.fault($0) } ?? transfer.unconfirmedEnd)
    }
  }

  private func endStalled() {
    let now = ContinuousClock.now
    guard now >= nextStallCheck else { return }
    nextStallCheck = now + Self.stallCheckInterval
    for transfer in active.values where transfer.isStalled(at: now, timeout: stallTimeout) {
      end(transfer, .stalled)
    }
  }

  private func end(_ transfer: ActiveTransfer, _ fault: TransferFault?) {
    multi.remove(transfer.easy)
    active[transfer.id] = nil
    transfer.easy.delegate = nil
    idle.append(transfer.easy)
    transfer.receiver.transferEnded(fault)
  }

  private func endAll(_ fault: TransferFault) {
    for transfer in active.values { end(transfer, fault) }
  }
}

/// One transfer under way: turns lines into a head, and watches for silence.
private final class ActiveTransfer: CurlEasyDelegate {
  let id: TransferID
  let easy: CurlEasy
  let receiver: any TransferReceiver
  private let limiter: RateLimiter?
  private var parser = HeadParser()
  private var isHeadComplete = false
  private var isMalformed = false
  private var isPaused = false
  private var byteCount: Int64 = 0
  /// When the last whole KiB had arrived, and how many bytes that made.
  private var mark: (instant: ContinuousClock.Instant, byteCount: Int64)?

  init(
    _ id: TransferID, _ easy: CurlEasy, _ receiver: any TransferReceiver, _ limiter: RateLimiter?
  ) {
    self.limiter = limiter
    self.id = id
    self.easy = easy
    self.receiver = receiver
    easy.delegate = self
  }

  func curlReceivedHeaderLine(_ line: Span<UInt8>) -> Bool {
    byteCount += Int64(line.count)
    // Fields behind a chunked body are trailers, which nothing here depends on.
    if isHeadComplete { return true }
    switch parser.take(line) {
    case .incomplete: return true
    case .malformed:
      isMalformed = true
      return false
    case .complete(let head):
      isHeadComplete = true
      if !head.delimitsBody { easy.watchForFarewell() }
      return receiver.transferReceivedHead(head)
    }
  }

  func curlReceivedBody(_ bytes: RawSpan) -> CurlBodyVerdict {
    if let limiter, !limiter.admits(id) {
      isPaused = true
      return .full
    }
    switch receiver.transferReceivedBody(bytes) {
    case .taken:
      limiter?.passed(bytes.byteCount)
      byteCount += Int64(bytes.byteCount)
      return .taken
    case .full:
      isPaused = true
      return .full
    case .stop: return .stop
    }
  }

  func proceed() {
    guard isPaused else { return }
    isPaused = false
    mark = nil
    easy.unpause()
  }

  /// Whether less than 1 KiB arrived for as long as `timeout`. Connecting has a time of its own, and a transfer that
  /// waits for room isn't the server's fault.
  func isStalled(at now: ContinuousClock.Instant, timeout: Duration) -> Bool {
    guard !isPaused, easy.isConnected, let mark else {
      self.mark = (now, byteCount)
      return false
    }
    if byteCount - mark.byteCount >= 1024 {
      self.mark = (now, byteCount)
      return false
    }
    return now - mark.instant >= timeout
  }

  /// What a well-looking end means where only TLS itself could have marked it.
  var unconfirmedEnd: TransferFault? {
    easy.missedFarewell ? .reset("the connection ended without TLS's farewell") : nil
  }

  func fault(_ error: CurlError) -> TransferFault {
    if isMalformed { return .malformed("the header is too large or is no header") }
    let status = easy.proxyStatus
    if status >= 300 { return .proxy(error.description, status: status) }
    return TransferFault(error, connected: easy.isConnected)
  }
}

extension TransferFault {
  /// What libcurl's result means. `connected` tells a proxy's or server's silence from one of the network.
  init(_ error: CurlError, connected: Bool) {
    self =
      switch error.kind {
      case .nameResolution: .nameResolution(error.description)
      case .connection: .connection(error.description)
      case .proxy: .proxy(error.description, status: nil)
      case .connectTimeout: .connectTimeout
      case .certificate: .certificate(error.description)
      case .certificateFile: .certificateFile(error.description)
      case .tls: .tls(error.description)
      case .truncated: .truncated(error.description)
      case .receive, .empty, .http2: .reset(error.description)
      case .tooManyOpenFiles: .tooManyOpenFiles
      case .stopped: .stopped
      case .malformed, .memory, .misuse: .malformed(error.description)
      }
  }
}
