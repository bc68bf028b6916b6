extension Report {
  /// The report as a JSON document in UTF-8, with a line feed at its end. ``writeJSON(to:)`` needs less memory.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    writeJSON { bytes.append(contentsOf: copy $0) }
    return bytes
  }

  /// Writes the report as a JSON document, chunk by chunk: the head a line per key, the files a line each.
  ///
  /// - Throws: What `sink` throws.
  public func writeJSON<SinkError>(
    to sink: (borrowing [UInt8]) throws(SinkError) -> Void
  ) throws(SinkError) {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.members(of: head)
    writer.member("totals", totals)
    writer.key("files")
    writer.beginArray(.lines)
    for file in files {
      writer.value(file)
      try writer.flushIfFull(to: sink)
    }
    writer.endArray()
    if let problems { writer.member("problems", problems) }
    writer.endObject()
    try writer.finish(to: sink)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ totals: ReportTotals) {
    key(name)
    beginObject()
    member("files", totals.files)
    member("downloaded", totals.downloaded)
    member("revalidated", totals.revalidated)
    member("cached", totals.cached)
    member("failed", totals.failed)
    member("optionalFailed", totals.optionalFailed)
    member("cancelled", totals.cancelled)
    member("skipped", totals.skipped)
    member("placed", totals.placed)
    member("bytes", totals.byteCount)
    member("transferredBytes", totals.transferredByteCount)
    member("retries", totals.retries)
    endObject()
  }

  fileprivate mutating func value(_ file: FileReport) {
    let outcome = file.outcome
    beginObject()
    member("id", file.key.id)
    member("namespace", file.key.namespace)
    member("type", file.type?.description)
    member("status", outcome.status.rawValue)
    member("action", file.action.rawValue)
    member("reason", file.reason.rawValue)
    member("url", file.url)
    member("finalURL", outcome.finalURL)
    member("bytes", outcome.byteCount)
    member("transferredBytes", outcome.transferredByteCount)
    member("resumedBytes", outcome.resumedByteCount)
    member("sha256", outcome.sha256)
    member("path", outcome.path)
    member("destination", outcome.destination)
    member("attempts", outcome.attempts)
    member("durationSeconds", outcome.duration)
    member("source", file.position)
    member("warnings", outcome.warnings)
    member("error", outcome.failure)
    if file.isOptional { member("optional", true) }
    endObject()
  }

  private mutating func member(_ name: String, _ attempts: [Attempt]) {
    key(name)
    beginArray()
    for attempt in attempts {
      beginObject()
      member("url", attempt.url)
      member("httpStatus", attempt.httpStatus.map(Int64.init))
      member("startedAt", Timestamp(attempt.startedAt).description)
      member("durationSeconds", attempt.duration)
      member("bytes", attempt.byteCount)
      member("error", attempt.failure)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ problems: [ReportProblem]) {
    key(name)
    beginArray(.lines)
    for problem in problems {
      beginObject()
      member("file", problem.file)
      member("line", problem.line)
      member("column", problem.column)
      member("message", problem.message)
      endObject()
    }
    endArray()
  }
}
