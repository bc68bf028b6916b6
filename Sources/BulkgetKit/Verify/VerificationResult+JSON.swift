extension VerificationResult {
  /// Writes the result as JSON, a line a file, piece by piece.
  package func writeJSON<Failure>(
    to sink: (borrowing [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.member("schemaVersion", ReportHead.schemaVersion)
    writer.member("kind", "verify")
    writer.key("totals")
    writer.beginObject()
    writer.member("files", files.count)
    let counts = counts
    for status in Verification.Status.allCases {
      writer.member(status.rawValue, counts[status, default: 0])
    }
    writer.member("bytes", files.reduce(0) { $0 + ($1.status == .absent ? 0 : $1.byteCount) })
    writer.endObject()
    writer.key("files")
    writer.beginArray(.lines)
    for file in files {
      writer.member(of: file)
      try writer.flushIfFull(to: sink)
    }
    writer.endArray()
    writer.endObject()
    try writer.finish(to: sink)
  }
}

extension JSONWriter {
  fileprivate mutating func member(of file: Verification) {
    beginObject()
    member("id", file.key.id)
    member("namespace", file.key.namespace)
    member("path", file.path)
    member("bytes", file.byteCount)
    member("place", file.place.rawValue)
    member("status", file.status.rawValue)
    member("sha256", file.sha256?.hexadecimal)
    member("message", file.message)
    endObject()
  }
}
