extension Plan {
  /// Writes the plan as a JSON document, chunk by chunk: the head a line per key, the files a line each.
  ///
  /// `outputDirectory` is where destinations lie.
  ///
  /// - Throws: What `sink` throws.
  public func writeJSON<SinkError>(
    head: ReportHead, outputDirectory: String,
    to sink: (borrowing [UInt8]) throws(SinkError) -> Void
  ) throws(SinkError) {
    let paths = manifests.map(\.path)
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.members(of: head)
    writer.member("totals", totals)
    writer.key("files")
    writer.beginArray(.lines)
    for step in steps {
      writer.value(step, outputDirectory: outputDirectory, manifests: paths)
      try writer.flushIfFull(to: sink)
    }
    writer.endArray()
    writer.endObject()
    try writer.finish(to: sink)
  }

  /// The plan as a JSON document in UTF-8, with a line feed at its end.
  public func json(head: ReportHead, outputDirectory: String) -> [UInt8] {
    var bytes: [UInt8] = []
    writeJSON(head: head, outputDirectory: outputDirectory) {
      bytes.append(contentsOf: copy $0)
    }
    return bytes
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ totals: PlanTotals) {
    key(name)
    beginObject()
    member("files", totals.files)
    for action in Step.Action.allCases {
      member(action.rawValue, totals.actions[action] ?? 0)
    }
    member("conflicts", totals.conflicts)
    member("bytes", totals.byteCount)
    member("transferBytes", totals.transferByteCount)
    member("unknownSizes", totals.unknownSizes)
    endObject()
  }

  fileprivate mutating func value(_ step: Step, outputDirectory: String, manifests: [String]) {
    let entry = step.entry
    beginObject()
    member("id", entry.key.id)
    member("namespace", entry.key.namespace)
    member("type", entry.type?.description)
    member("action", step.action.rawValue)
    member("reason", step.reason.rawValue)
    member("url", entry.sources.first?.redacted)
    member("bytes", step.byteCount)
    member("resumedBytes", step.resumedByteCount)
    member("destination", entry.destination.map { "\(outputDirectory)/\($0)" })
    member("source", FileReport.Position(entry.position, manifests: manifests))
    member("warnings", step.warnings)
    member("error", step.conflict)
    if entry.isOptional { member("optional", true) }
    endObject()
  }
}
