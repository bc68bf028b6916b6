#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who this process is, for messages to others that share a directory with it.
package enum ProcessIdentity {
  /// The process id.
  package static var processID: Int32 { getpid() }

  /// What tells apart the machines, boots and containers whose process ids mean different processes. Empty where the
  /// system doesn't say.
  package static let processIDSpace: String = {
    var text = ""
    if let file = try? FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", O_RDONLY),
      let bytes = try? file.readAll(limit: 4096)
    {
      text = String(decoding: bytes, as: UTF8.self)
    }
    var target = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/ns/pid", &target, target.count)
    if count > 0 { text += String(decoding: target[..<count].map(UInt8.init), as: UTF8.self) }
    return text
  }()
}
