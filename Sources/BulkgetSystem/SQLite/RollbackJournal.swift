/// A rollback journal that a killed process left beside its database (SQLite's file format, section 3).
///
/// Whoever may write leaves it to SQLite to roll back. Planning changes nothing on the disk, so it rolls back a copy in memory.
package struct RollbackJournal: Sendable {
  private let bytes: [UInt8]

  /// Takes the journal file's bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Puts the pages back that the interrupted transaction had overwritten, and cuts off what it had appended.
  ///
  /// A page that was not written whole ends the journal, as it does for SQLite: its database page was not touched yet.
  package func rollBack(_ image: inout [UInt8]) {
    guard let first = header(at: 0) else { return }
    let size = first.initialPageCount * first.pageSize
    if image.count > size { image.removeLast(image.count - size) }
    var offset = 0
    while let header = header(at: offset), header.pageSize == first.pageSize {
      offset += header.sectorSize
      let room = max(0, bytes.count - offset) / header.recordSize
      for _ in 0..<min(header.recordCount ?? room, room) {
        guard restorePage(at: offset, header, into: &image) else { return }
        offset += header.recordSize
      }
      // The next header begins at a sector's start.
      offset = (offset + header.sectorSize - 1) / header.sectorSize * header.sectorSize
    }
  }

  private struct Header {
    /// nil where the rest of the file holds records.
    var recordCount: Int?
    var nonce: UInt32
    var initialPageCount: Int
    var sectorSize: Int
    var pageSize: Int

    /// Page number, page and checksum.
    var recordSize: Int { pageSize + 8 }
  }

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  private func header(at offset: Int) -> Header? {
    guard offset + 28 <= bytes.count, bytes[offset..<offset + 8].elementsEqual(Self.magic)
    else { return nil }
    let count = integer(at: offset + 8)
    let header = Header(
      recordCount: count == .max ? nil : Int(count), nonce: integer(at: offset + 12),
      initialPageCount: Int(integer(at: offset + 16)), sectorSize: Int(integer(at: offset + 20)),
      pageSize: Int(integer(at: offset + 24)))
    guard (512...65536).contains(header.pageSize), (32...65536).contains(header.sectorSize)
    else { return nil }
    return header
  }

  private func restorePage(at offset: Int, _ header: Header, into image: inout [UInt8]) -> Bool {
    let page = offset + 4..<offset + 4 + header.pageSize
    let number = Int(integer(at: offset))
    guard number > 0, checksum(of: page, header) == integer(at: page.upperBound) else {
      return false
    }
    let start = (number - 1) * header.pageSize
    // A page behind the original end is gone after the rollback.
    guard number <= header.initialPageCount, start + header.pageSize <= image.count else {
      return true
    }
    image.replaceSubrange(start..<start + header.pageSize, with: bytes[page])
    return true
  }

  /// The nonce plus every 200th byte, counted from the page's end.
  private func checksum(of page: Range<Int>, _ header: Header) -> UInt32 {
    var sum = header.nonce
    var index = header.pageSize - 200
    while index > 0 {
      sum &+= UInt32(bytes[page.lowerBound + index])
      index -= 200
    }
    return sum
  }

  private func integer(at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
