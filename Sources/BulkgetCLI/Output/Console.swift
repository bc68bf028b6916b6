import BulkgetSystem

/// Standard output and standard error as the commands see them. Tests put a recording one in their place.
struct Console: Sendable {
  /// One of the two.
  struct Channel: Sendable {
    var isTerminal = false
    var palette = Palette(isColored: false)
    /// The terminal's width; nil where there is none or it is not known.
    var columns: @Sendable () -> Int? = { nil }
    /// Writes all of it.
    var write: @Sendable ([UInt8]) throws(StreamError) -> Void
  }

  /// Carries only what was asked for.
  var output: Channel
  /// Carries progress, warnings and errors.
  var errors: Channel

  /// Says one message, which may have several lines, on standard error.
  ///
  /// A failure is dropped: there is no place left to say it, and it must not change what the run does.
  func say(_ message: String) {
    do { try errors.write(Array((message + "\n").utf8)) } catch {}
  }
}

extension Console {
  /// The process's own streams.
  static func standard(color: ColorChoice, environment: [String: String]) -> Console {
    let channel = { @Sendable (stream: StandardStream) in
      Channel(
        isTerminal: Terminal.isTerminal(stream), columns: { Terminal.columns(of: stream) },
        write: { bytes throws(StreamError) in try StandardStreams.write(bytes, to: stream) })
    }
    var console = Console(output: channel(.output), errors: channel(.error))
    console.recolor(color, environment: environment)
    return console
  }

  /// Decides anew what is coloured.
  mutating func recolor(_ choice: ColorChoice, environment: [String: String]) {
    for path in [\Console.output, \Console.errors] {
      let isColored = choice.isColored(
        onTerminal: self[keyPath: path].isTerminal, environment: environment)
      self[keyPath: path].palette = Palette(isColored: isColored)
    }
  }
}
