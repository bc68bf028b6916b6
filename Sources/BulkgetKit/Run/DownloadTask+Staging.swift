import BulkgetSystem
import Foundation
import Synchronization

/// The part of a download that works with files, on the writer's queue.
extension DownloadTask {
  /// Stages a local source.
  func copy(_ path: String, into body: StagedBody) {
    let source: FileDescriptor
    do throws(SystemError) {
      source = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard try source.status().kind == .file else {
        return send(.copied(byteCount: 0, failure: Failure(.io, "`\(path)` is no regular file")))
      }
    } catch {
      return send(.copied(byteCount: 0, failure: Failure(.io, error.description)))
    }
    do throws(CacheError) {
      if let event = try append(source, to: body) { return send(event) }
      send(.copied(byteCount: body.byteCount, failure: nil))
    } catch {
      send(.stagingFailed(Failure(error)))
    }
  }

  /// Copies piece by piece; returns why it had to stop before the end.
  private func append(_ source: FileDescriptor, to body: StagedBody) throws(CacheError) -> Download
    .Event?
  {
    let limit = min(step.entry.size ?? .max, context.configuration.maximumFileSize ?? .max)
    try body.open(at: 0, record: nil)
    let chunk = ByteChunk(capacity: 1 << 20)
    while true {
      do throws(SystemError) {
        guard try chunk.fill(from: source) else { return nil }
      } catch {
        return .copied(byteCount: body.byteCount, failure: Failure(.io, error.description))
      }
      if context.isCancelled() { return .cancelled }
      try body.append(chunk)
      if body.byteCount > limit {
        return .copied(byteCount: body.byteCount, failure: excess(source.path, limit))
      }
    }
  }

  private func excess(_ path: String, _ limit: Int64) -> Failure {
    step.entry.size != limit
      ? Failure(
        .tooLarge, "`\(path)` is larger than \(limit) bytes, the limit of `--max-file-size`")
      : Failure(
        .sizeMismatch,
        "`\(path)` is larger than the \(limit) bytes that \(step.entry.sizeOrigin) gives"
          + step.entry.wrongSizeHint)
  }

  /// Completes the digests of the staged bytes.
  func hash(_ body: StagedBody) {
    let (isSuspicious, byteCount) = state.withLock {
      ($0.machine.isSuspicious, $0.machine.stagedByteCount)
    }
    do throws(CacheError) {
      // A partial that turned out to be the whole file was not opened for a body.
      if body.file == nil { try body.open(at: byteCount, record: nil) }
      guard body.byteCount == byteCount else {
        return send(.partialLost)
      }
      if isSuspicious, try body.beginsLikeHTML() { return send(.looksLikeHTML) }
      send(.hashed(body.finish()))
    } catch {
      send(Self.event(error))
    }
  }

  /// Publishes and places the file, or keeps what can be resumed, and gives the slot back with the outcome.
  func finish(_ ending: Download.Ending, _ body: StagedBody) {
    var outcome: Outcome
    var record: CacheRecord?
    do throws(Failure) {
      switch ending {
      case .complete(let digests):
        record = try publish(digests, body)
        outcome = Outcome(status: .downloaded)
      case .notModified:
        record = try noteRevalidation()
        outcome = Outcome(status: .revalidated)
      case .failed(let failure):
        tidy { () throws(CacheError) in try body.close() }
        outcome = Outcome(
          status: failure.code == .cancelled ? .cancelled : .failed, failure: failure)
      }
      if let record { try context.place(step, record, into: &outcome) }
    } catch {
      outcome = Outcome(status: .failed, failure: error)
    }
    complete(&outcome)
    release(.finished(outcome, record))
  }

  private func publish(_ digests: [Digest], _ body: StagedBody) throws(Failure) -> CacheRecord {
    guard let file = body.file else {
      throw Failure(.io, "nothing was staged for `\(step.entry.key.id)`")
    }
    let lock = state.withLock { state in
      defer { state.lock = nil }
      return state.lock
    }
    do throws(CacheError) {
      // The cache keeps the lock until other processes can read the record.
      defer { body.release() }
      return try context.cache.publish(
        file, as: record(digests), replacing: step.record, under: lock)
    } catch {
      throw Failure(error)
    }
  }

  private func record(_ digests: [Digest]) -> CacheRecord {
    state.withLock { state in
      let source = state.machine.source
      var record = CacheRecord(
        key: step.entry.key, type: step.entry.type, url: source.identity,
        finalURL: state.machine.finalURL?.identity ?? source.identity, digests: digests,
        size: 0, modificationTime: 0, now: context.now)
      (record.entityTag, record.lastModified) = state.machine.validators
      return record
    }
  }

  private func noteRevalidation() throws(Failure) -> CacheRecord {
    guard var record = step.record else {
      throw Failure(.io, "`\(step.entry.key.id)` was revalidated without a cached file")
    }
    record.verifiedAt = context.now
    record.usedAt = context.now
    context.cache.record(record)
    return record
  }

  /// Fills in what the tries have to tell.
  func complete(_ outcome: inout Outcome) {
    let instant = context.moment().instant
    state.withLock { state in
      let machine = state.machine
      outcome.url = machine.source.redacted
      if outcome.finalURL == nil || outcome.status == .downloaded {
        outcome.finalURL = (machine.finalURL?.redacted) ?? machine.source.redacted
      }
      outcome.attempts = machine.attempts
      outcome.transferredByteCount = machine.attempts.reduce(0) { $0 + $1.byteCount }
      outcome.resumedByteCount = outcome.failure == nil ? machine.resumedByteCount : 0
      outcome.warnings += machine.warnings
      outcome.duration = state.startedAt.map { instant - $0 } ?? .zero
      state.lock = nil
    }
  }
}

extension RunContext {
  /// Places a cached file where the step wants it, and notes both paths.
  func place(_ step: Step, _ record: CacheRecord, into outcome: inout Outcome) throws(Failure) {
    let path = cache.layout.path(of: record)
    outcome.describe(record, at: path)
    guard let destination = step.entry.destination else { return }
    try placement.place(path, at: destination, of: step.entry)
    outcome.destination = placement.path(of: destination)
    outcome.isPlaced = true
  }
}
