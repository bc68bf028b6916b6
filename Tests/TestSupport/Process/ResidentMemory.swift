import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The most memory that a process held at once, in bytes.
///
/// On Linux `wait4` alone doesn't tell: a spawned process begins with its parent's figure, which for a test runner is
/// large. So the kernel's high-water mark is read while the process runs, and `wait4`'s figure counts only where it
/// is above this process's own.
enum ResidentMemory {
  /// The peak so far of a running process, or nil where the system doesn't say.
  static func peak(of process: pid_t) -> Int? { peak(named: "\(process)") }

  /// The peak of an ended process, or 0 where that can't be known from its usage.
  static func peak(of usage: rusage) -> Int {
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      let bytes = usage.ru_maxrss * 1_024
      return bytes > peak(named: "self") ?? .max ? bytes : 0
    #endif
  }

  private static func peak(named process: String) -> Int? {
    guard let file = try? FileDescriptor(opening: "/proc/\(process)/status", O_RDONLY),
      let bytes = try? file.readAll(limit: 1 << 20)
    else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("VmHWM:") {
      return line.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 * 1_024 }
    }
    return nil
  }
}
