/// The command line of `loopback-server`.
struct ServerArguments {
  var port: UInt16 = 0
  var root: String?
  var servesDemo = false
  var printsDigests = false

  static let usage = """
    usage: loopback-server [--port PORT] [--root DIR | --demo] [--print-digests]

    Serves files on 127.0.0.1 until SIGTERM, or until the pipe at its standard input closes.

      --port PORT       the port; 0, the default, takes a free one
      --root DIR        serves the files below DIR
      --demo            serves five files that are the same everywhere
      --print-digests   prints size, SHA-256 and path of the demo files, and ends

    """

  /// Reads the words after the program's name; nil where they are wrong.
  init?(_ words: some Sequence<String>) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--demo": servesDemo = true
      case "--print-digests": printsDigests = true
      case "--port":
        guard let value = words.next().flatMap({ UInt16($0) }) else { return nil }
        port = value
      case "--root":
        guard let value = words.next() else { return nil }
        root = value
      default: return nil
      }
    }
  }
}
