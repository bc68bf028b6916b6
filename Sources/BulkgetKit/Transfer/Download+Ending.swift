extension Download {
  /// The transfer has ended: proves what was received, or does what was decided at its head.
  mutating func ended(_ fault: TransferFault?, _ byteCount: Int64, at moment: Moment) -> [Action] {
    attempts.indices.last.map { attempts[$0].byteCount += byteCount }
    if fault == .cancelled { return handle(.cancelled, at: moment) }
    switch phase {
    case .receiving(let reception):
      return bodyEnded(fault, reception, byteCount, at: moment)
    case .ending(let decision):
      return perform(decision, at: moment)
    case .requested:
      let failure = fault.map { headFailure($0) }
      return failTry(
        failure
          ?? Failure(
            .connectionFailed, "\(source.redacted) closed the connection without an answer"),
        failure.map(\.retry) ?? .afterBackoff, at: moment)
    case .idle, .hashing, .finished:
      return []
    }
  }

  private mutating func perform(_ decision: Decision, at moment: Moment) -> [Action] {
    switch decision {
    case .redirect(let target):
      return [send(target)]
    case .fail(let failure, let retry):
      return failTry(failure, retry, at: moment)
    case .discard(let failure, let retry):
      return discard(failure, retry, at: moment)
    case .startOver(let failure):
      return startOver(failure, at: moment)
    case .checkPartial:
      resumedByteCount = partial?.byteCount ?? 0
      stagedByteCount = resumedByteCount
      phase = .hashing
      return [.hash]
    case .notModified:
      return finish(.notModified, at: moment)
    }
  }

  private mutating func bodyEnded(
    _ fault: TransferFault?, _ reception: Reception, _ byteCount: Int64, at moment: Moment
  ) -> [Action] {
    let staged = reception.offset + byteCount
    partial = CacheSnapshot.Partial(byteCount: staged, record: reception.record)
    stagedByteCount = staged
    guard let fault else { return check(byteCount: staged, at: moment) }
    let failure = bodyFailure(fault, reception, staged)
    if acceptsUnconfirmedEnd(fault, staged) {
      doubt = failure
      return check(byteCount: staged, at: moment)
    }
    return failTry(failure, failure.retry, at: moment)
  }

  /// Over TLS a body without a length may end without close_notify where size or digest prove it whole.
  private func acceptsUnconfirmedEnd(_ fault: TransferFault, _ staged: Int64) -> Bool {
    guard case .reset = fault, chain.url?.scheme == .https, head?.delimitsBody == false else {
      return false
    }
    return order.entry.size.map { $0 == staged } ?? !order.entry.digests.isEmpty
  }

  /// What is staged is of no use to any later try or run.
  private mutating func discard(
    _ failure: Failure, _ retry: Retry, at moment: Moment
  ) -> [Action] {
    partial = nil
    return [.discardPartial] + failTry(failure, retry, at: moment)
  }

  /// The bytes are all there as far as the transport can tell; now size and digests decide.
  mutating func check(byteCount: Int64, at moment: Moment) -> [Action] {
    let isDelimited = head?.delimitsBody ?? true
    if byteCount == 0, expectsBytes {
      return failTry(emptyBody, source.isLocal ? .never : .afterBackoff, at: moment)
    }
    if let limit = order.maximumFileSize, byteCount > limit {
      return discard(tooLarge(limit), .never, at: moment)
    }
    if let size = order.entry.size, byteCount != size {
      let message =
        "\(sender) sent \(byteCount) bytes, \(order.entry.sizeOrigin) gives \(size)"
      if !isDelimited, byteCount < size {
        return failTry(Failure(.truncated, message), .afterBackoff, at: moment)
      }
      return discard(
        Failure(.sizeMismatch, message + order.entry.wrongSizeHint), .never, at: moment)
    }
    phase = .hashing
    return [.hash]
  }

  /// The staged bytes are hashed: every digest of the manifest must match.
  mutating func compared(_ digests: [Digest], at moment: Moment) -> [Action] {
    let wrong = order.entry.digests.first { wanted in
      !digests.contains(wanted)
    }
    guard let wanted = wrong else {
      noteWhatIsUnproved()
      return finish(.complete(digests), at: moment)
    }
    if let doubt {
      // A broken connection is no wrong digest.
      return failTry(doubt, doubt.retry, at: moment)
    }
    let failure = mismatch(wanted, digests)
    if resumedByteCount > 0 {
      // Which of the two parts was wrong can't be told, so none of it is used, and nothing is spliced again.
      mayResume = false
      return startOver(failure, at: moment)
    }
    return discard(failure, .never, at: moment)
  }

  private func mismatch(_ wanted: Digest, _ digests: [Digest]) -> Failure {
    let actual = digests.first { $0.algorithm == wanted.algorithm }?.hexadecimal ?? "none"
    let encoding =
      contentEncoding.map { " (sent with Content-Encoding: \($0), which is stored as sent)" } ?? ""
    return Failure(
      .checksumMismatch,
      "\(sender) delivered wrong bytes\(encoding): expected "
        + "\(order.entry.origin(of: wanted))\(wanted.algorithm.rawValue) \(wanted.hexadecimal), "
        + "got \(actual)\(order.entry.hint(wrong: wanted))")
  }

  mutating func foundHTML(at moment: Moment) -> [Action] {
    let type = order.entry.type.map { " of type \($0)" } ?? ""
    let failure = Failure(
      .unexpectedContent,
      "\(source.redacted) sent an HTML page for a file\(type): a sign-in page or a portal; "
        + "give a digest, or the type html if it is meant")
    return discard(failure, .never, at: moment)
  }

  private var contentEncoding: String? {
    guard let value = head?["Content-Encoding"], !equalIgnoringCase(value, "identity") else {
      return nil
    }
    return value
  }

  private mutating func noteWhatIsUnproved() {
    if let encoding = contentEncoding {
      warnings.append(
        Notice(
          code: "content-encoding",
          message:
            "\(source.redacted) was sent with Content-Encoding: \(encoding) unasked; it is stored as sent"
        ))
    }
    if head?.delimitsBody == false, order.entry.digests.isEmpty, order.entry.size == nil {
      warnings.append(
        Notice(
          code: "unconfirmed-length",
          message:
            "\(source.redacted) ended with the connection and nothing proves that it is whole; "
            + "a digest or a size in the manifest would"))
    }
  }

  // MARK: Faults as failures

  private func headFailure(_ fault: TransferFault) -> Failure {
    let url = chain.url?.redacted ?? source.redacted
    switch fault {
    case .truncated(let text), .reset(let text):
      return Failure(.connectionFailed, "\(url) closed the connection before its answer: \(text)")
    default: return Failure(fault, url: url)
    }
  }

  private func bodyFailure(
    _ fault: TransferFault, _ reception: Reception, _ staged: Int64
  ) -> Failure {
    switch fault {
    case .truncated, .reset:
      let expected = reception.total.map { " of \($0)" } ?? ""
      return Failure(
        .truncated, "\(source.redacted) broke off after \(staged)\(expected) bytes")
    default: return Failure(fault, url: source.redacted)
    }
  }
}

extension Failure {
  /// What a transport's fault is called in the report.
  init(_ fault: TransferFault, url: String) {
    self =
      switch fault {
      case .cancelled, .stopped: Failure(.cancelled, "the download of \(url) was stopped")
      case .nameResolution(let text): Failure(.nameResolution, "\(url): \(text)")
      case .connection(let text): Failure(.connectionFailed, "\(url): \(text)")
      case .connectTimeout:
        Failure(.timeout, "\(url): no connection in time; see `--connect-timeout`")
      case .stalled: Failure(.stalled, "\(url) went silent; see `--stall-timeout`")
      case .proxy(let text, let status):
        Failure(.proxy, "\(url): the proxy refused\(status.map { " with \($0)" } ?? ""): \(text)")
      case .certificate(let text):
        Failure(.tls, "\(url): \(text); `--cacert FILE` names a certificate authority of your own")
      case .certificateFile(let text): Failure(.tls, "\(url): \(text)")
      case .tls(let text): Failure(.tls, "\(url): \(text)")
      case .truncated(let text), .reset(let text): Failure(.truncated, "\(url): \(text)")
      case .malformed(let text): Failure(.protocolViolation, "\(url): \(text)")
      case .tooManyOpenFiles:
        Failure(
          .tooManyOpenFiles, "\(url): too many open files; raise `ulimit -n` or lower `--jobs`")
      }
  }

  /// Whether the same request may go better the next time: what can't change isn't tried again.
  var retry: Download.Retry {
    switch code {
    case .timeout, .stalled, .truncated, .connectionFailed, .nameResolution, .tooManyOpenFiles:
      .afterBackoff
    default: .never
    }
  }
}
