import BulkgetKit
import BulkgetSystem

extension Document {
  /// Writes the document piece by piece, with a line feed at its end.
  func write(to sink: @escaping Actions.Sink) throws(StreamError) {
    switch self {
    case .run(let record):
      try record.report.writeJSON(to: sink)
    case .plan(let record, let outputDirectory):
      guard let plan = record.plan else { return try record.report(.plan).writeJSON(to: sink) }
      try plan.writeJSON(head: record.head(.plan), outputDirectory: outputDirectory, to: sink)
    case .cacheList(let files):
      try writeListing(of: files, to: sink)
    case .cacheSize(let size):
      try write(size, to: sink)
    case .cachePrune(let result):
      try write(result, to: sink)
    case .verification(let result):
      try result.writeJSON(to: sink)
    case .schema(let name):
      try sink(Array((name.text + (name.text.hasSuffix("\n") ? "" : "\n")).utf8))
    }
  }

  private func writeListing(
    of files: [CachedFile], to sink: @escaping Actions.Sink
  ) throws(StreamError) {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.member("schemaVersion", ReportHead.schemaVersion)
    writer.member("kind", "cache-list")
    writer.key("totals")
    writer.beginObject()
    writer.member("files", files.count)
    writer.member("bytes", files.reduce(0) { $0 + $1.record.size })
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

  private func write(_ size: CacheSize, to sink: @escaping Actions.Sink) throws(StreamError) {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.member("schemaVersion", ReportHead.schemaVersion)
    writer.member("kind", "cache-size")
    writer.key("totals")
    writer.beginObject()
    writer.member("files", size.fileCount)
    writer.member("bytes", size.byteCount)
    writer.member("partials", size.partialCount)
    writer.member("partialBytes", size.partialByteCount)
    writer.endObject()
    writer.endObject()
    try writer.finish(to: sink)
  }
}

extension Document {
  private func write(_ result: PruneResult, to sink: @escaping Actions.Sink) throws(StreamError) {
    var writer = JSONWriter()
    writer.beginObject(.lines)
    writer.member("schemaVersion", ReportHead.schemaVersion)
    writer.member("kind", "cache-prune")
    writer.key("totals")
    writer.beginObject()
    for kind in [PruneItem.Kind.file, .partial] {
      let items = result.removed.filter { $0.kind == kind }
      writer.member(kind == .file ? "files" : "partials", items.count)
      writer.member(kind == .file ? "bytes" : "partialBytes", items.reduce(0) { $0 + $1.byteCount })
    }
    writer.member("inUse", result.inUse.count)
    writer.endObject()
    writer.key("files")
    writer.beginArray(.lines)
    for item in result.removed {
      writer.beginObject()
      writer.member("id", item.key?.id)
      writer.member("namespace", item.key?.namespace)
      writer.member("path", item.path)
      writer.member("bytes", item.byteCount)
      writer.member("isPartial", item.kind == .partial)
      writer.endObject()
      try writer.flushIfFull(to: sink)
    }
    writer.endArray()
    writer.endObject()
    try writer.finish(to: sink)
  }
}

extension JSONWriter {
  fileprivate mutating func member(of file: CachedFile) {
    let record = file.record
    beginObject()
    member("id", record.key.id)
    member("namespace", record.key.namespace)
    member("type", record.type?.description)
    member("path", file.path)
    member("bytes", record.size)
    member("sha256", record.digests.first { $0.algorithm == .sha256 }?.hexadecimal)
    member("url", record.url)
    endObject()
  }
}

extension RunRecord {
  /// The report of a run.
  var report: Report { report(.run) }

  func report(_ kind: ReportHead.Kind) -> Report {
    let head = head(kind)
    if let plan { return Report(head: head, plan: plan, outcomes: outcomes) }
    if problems.isEmpty { return Report(head: head, files: []) }
    let problems = problems.map {
      ReportProblem(file: $0.file ?? "", line: $0.line, column: $0.column, message: $0.message)
    }
    return Report(head: head, problems: problems)
  }

  func head(_ kind: ReportHead.Kind) -> ReportHead {
    var head = ReportHead(
      kind: kind, toolVersion: BulkgetVersion.current, startedAt: startedAt, finishedAt: finishedAt,
      duration: duration)
    head.manifests =
      plan?.manifests.map { ReportHead.ManifestReference($0) }
      ?? manifestPaths.map { ReportHead.ManifestReference(path: $0, sha256: nil) }
    head.conclude(with: RunVerdict(status: status, exitStatus: Int(exitStatus.rawValue)))
    head.error = error
    head.warnings = warnings
    return head
  }
}

extension SchemaName {
  /// The schema.
  var text: String {
    switch self {
    case .manifest: ManifestSchema.text
    case .plan: PlanSchema.text
    case .report: ReportSchema.text
    }
  }
}
