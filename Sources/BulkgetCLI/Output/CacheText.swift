import BulkgetKit
import BulkgetSystem

/// The files of a cache as lines for people: namespace, id, type, size and path in columns.
struct CacheText: Sendable {
  let files: [CachedFile]

  /// Writes a line per file.
  func write(to buffer: inout OutputBuffer) throws(StreamError) {
    var widths = [0, 0, 0, 0]
    for file in files {
      for (column, cell) in cells(file).enumerated() {
        widths[column] = max(widths[column], min(48, DisplayWidth.columns(of: cell)))
      }
    }
    for file in files { try buffer.write(line: line(file, widths)) }
  }

  private func cells(_ file: CachedFile) -> [String] {
    let record = file.record
    return [
      record.key.namespace, PrintableText.escaped(record.key.id), record.type?.description ?? "-",
      ByteCountText.human(record.size),
    ]
  }

  private func line(_ file: CachedFile, _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells(file).dropLast(), widths) {
      line += DisplayWidth.padded(cell, to: width) + "  "
    }
    line += DisplayWidth.leftPadded(ByteCountText.human(file.record.size), to: widths[3])
    return line + "  " + PrintableText.escaped(file.path)
  }
}
