/// What is mounted where, as Linux tells it (proc_pid_mountinfo(5)).
struct MountTable {
  static let path = "/proc/self/mountinfo"

  private let text: String

  init(text: String) {
    self.text = text
  }

  /// The types of the file systems with this device number, such as `vfat`.
  func types(ofDevice device: UInt64) -> Set<Substring> {
    // The two parts of a `dev_t` of Linux.
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    var types: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      // Between the mount's options and a hyphen of its own there may be any number of fields.
      guard fields.count > 6, fields[2] == "\(major):\(minor)",
        let hyphen = fields[6...].firstIndex(of: "-"), hyphen + 1 < fields.count
      else { continue }
      types.insert(fields[hyphen + 1])
    }
    return types
  }
}
