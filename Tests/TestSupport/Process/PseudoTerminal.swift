import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Both sides of a pseudo-terminal.
final class PseudoTerminal: Sendable {
  /// What a user would see is read from here, and what a user would type is written here.
  let user: FileDescriptor
  private let program: Monitor<FileDescriptor?>
  /// The path that the child process opens, which makes the terminal its controlling one.
  let path: String

  init(_ size: TerminalSize) throws {
    var (userEnd, programEnd): (CInt, CInt) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try withoutSpawning { () throws(SystemError) in
      try systemCall("open", "pseudo-terminal") { openpty(&userEnd, &programEnd, nil, nil, nil) }
      for end in [userEnd, programEnd] {
        try systemCall("configure", "pseudo-terminal") { fcntl(end, F_SETFD, FD_CLOEXEC) }
      }
    }
    user = FileDescriptor(owning: userEnd, path: "pseudo-terminal")
    program = Monitor(FileDescriptor(owning: programEnd, path: "pseudo-terminal"))
    let code = ttyname_r(programEnd, &name, name.count)
    guard code == 0 else { throw SystemError("name", "pseudo-terminal", code: code) }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    try resize(size)
  }

  /// The side that programs use. It must stay open until a child has it, and not longer: reading the user's side
  /// ends when nobody has the other.
  func takeProgramSide() -> FileDescriptor? {
    program.withLock { side in
      defer { side = nil }
      return side
    }
  }

  /// Gives the terminal another size; its processes get SIGWINCH.
  func resize(_ size: TerminalSize) throws {
    var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    try systemCall("resize", path) { ioctl(user.rawValue, UInt(TIOCSWINSZ), &window) }
  }
}
