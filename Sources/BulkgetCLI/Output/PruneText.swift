import BulkgetKit
import BulkgetSystem

/// What pruning removed, as lines for people: each file where that is wanted, and a summary.
struct PruneText: Sendable {
  let result: PruneResult
  let isRehearsal: Bool
  let listsFiles: Bool

  /// Writes the lines.
  func write(to buffer: inout OutputBuffer) throws(StreamError) {
    if listsFiles {
      for item in result.removed { try buffer.write(line: line(item)) }
    }
    try buffer.write(line: summary)
  }

  private func line(_ item: PruneItem) -> String {
    let name = item.key.map { "\($0.namespace)  \(PrintableText.escaped($0.id))" } ?? "-  -"
    let size = ByteCountText.human(item.byteCount)
    return "\(name)  \(size)  \(PrintableText.escaped(item.path))"
  }

  /// As in `removed: 3 files (1.2 GB), 1 partial (3 MB); in use: 2`.
  private var summary: String {
    let parts = [text(.file, "file", "files"), text(.partial, "partial", "partials")]
    let inUse = result.inUse.isEmpty ? "" : "; in use and kept: \(result.inUse.count)"
    return (isRehearsal ? "would remove: " : "removed: ") + parts.joined(separator: ", ") + inUse
  }

  private func text(_ kind: PruneItem.Kind, _ one: String, _ many: String) -> String {
    let items = result.removed.filter { $0.kind == kind }
    let size = ByteCountText.human(items.reduce(0) { $0 + $1.byteCount })
    return "\(items.count) \(items.count == 1 ? one : many) (\(size))"
  }
}
