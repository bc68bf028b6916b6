extension JSONWriter {
  /// Writes the members that a report and a plan begin with, up to `warnings`.
  mutating func members(of head: ReportHead) {
    member("schemaVersion", ReportHead.schemaVersion)
    member("kind", head.kind.rawValue)
    key("tool")
    beginObject()
    member("name", head.toolName)
    member("version", head.toolVersion)
    endObject()
    key("manifests")
    beginArray()
    for manifest in head.manifests {
      beginObject()
      member("path", manifest.path)
      member("sha256", manifest.sha256)
      endObject()
    }
    endArray()
    member("startedAt", Timestamp(head.startedAt).description)
    member("finishedAt", Timestamp(head.finishedAt).description)
    member("durationSeconds", head.duration)
    member("status", head.status.rawValue)
    member("exitStatus", head.exitStatus)
    member("error", head.error)
    member("warnings", head.warnings)
  }

  /// Writes a failure, or `null`.
  mutating func member(_ name: String, _ failure: Failure?) {
    key(name)
    guard let failure else {
      null()
      return
    }
    coded(failure.code.rawValue, failure.message)
  }

  /// Writes warnings.
  mutating func member(_ name: String, _ warnings: [Notice]) {
    key(name)
    beginArray()
    for warning in warnings { coded(warning.code, warning.message) }
    endArray()
  }

  private mutating func coded(_ code: String, _ message: String) {
    beginObject()
    member("code", code)
    member("message", message)
    endObject()
  }

  /// Writes where an entry stands, or `null`.
  mutating func member(_ name: String, _ position: FileReport.Position?) {
    key(name)
    guard let position else {
      null()
      return
    }
    beginObject()
    member("file", position.file)
    member("line", position.line)
    member("column", position.column)
    endObject()
  }
}
