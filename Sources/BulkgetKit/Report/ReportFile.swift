import BulkgetSystem

/// The file that a report is written to: it appears complete or not at all.
public struct ReportFile: Sendable {
  /// The path as the user gave it.
  public let path: String

  /// Names the file and touches nothing.
  public init(path: String) {
    self.path = path
  }

  /// Finds out whether the report can be written, and leaves nothing behind.
  public func checkWritable() throws(ReportError) {
    try mapping { () throws(SystemError) in try OutputFile(path: path).checkWritable() }
  }

  /// Writes the report.
  public func write(_ report: Report) throws(ReportError) {
    try mapping { () throws(SystemError) in
      try OutputFile(path: path).write { (file) throws(SystemError) in
        try report.writeJSON { (bytes) throws(SystemError) in try file.write(copy bytes) }
      }
    }
  }

  private func mapping(_ body: () throws(SystemError) -> Void) throws(ReportError) {
    do throws(SystemError) { try body() } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }
}
