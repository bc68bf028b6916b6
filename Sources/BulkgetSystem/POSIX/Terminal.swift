#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a standard stream is connected to.
package enum Terminal {
  /// Whether the stream is a terminal. The corresponding C function is `isatty`.
  package static func isTerminal(_ stream: StandardStream) -> Bool {
    isatty(stream.descriptor) == 1
  }

  /// The terminal's width in columns; nil where the stream is none, or where it doesn't say (0).
  package static func columns(of stream: StandardStream) -> Int? {
    var size = winsize()
    guard ioctl(stream.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
