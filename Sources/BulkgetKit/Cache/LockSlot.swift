import BulkgetSystem

/// Where the holder of a lock writes its process id: 16 bytes, shared by all keys whose offsets are equal modulo 4,096.
struct LockSlot {
  private let offset: Int64
  private let file: FileDescriptor

  private static let count: Int64 = 4096
  private static let byteCount: Int64 = 16

  /// Process ids mean something only in one boot of one machine, and there in one container.
  private static let space: UInt64 = {
    let digest = MessageDigest(.md5)?.digest(of: ProcessIdentity.processIDSpace) ?? []
    return digest.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
  }()

  init(_ offset: Int64, in file: FileDescriptor) {
    self.offset = offset
    self.file = file
  }

  private var position: Int64 { offset % Self.count * Self.byteCount }

  /// Writes this process's id. A full disk leaves the slot as it was, and a message without its process id.
  func write() {
    let processID = UInt64(UInt32(bitPattern: ProcessIdentity.processID))
    let bytes = [UInt64(offset), Self.space << 32 | processID].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    try? file.write(bytes, at: position)
  }

  /// The holder's process id; nil where the slot is another key's or another machine's, or can't be read.
  func processID() -> Int32? {
    let bytes = try? file.read(count: Int(Self.byteCount), at: position)
    guard let bytes, bytes.count == Int(Self.byteCount) else { return nil }
    let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    guard words[0] == UInt64(offset), words[1] >> 32 == Self.space else { return nil }
    return Int32(bitPattern: UInt32(truncatingIfNeeded: words[1]))
  }
}
