import BulkgetKit
import BulkgetSystem

/// Gathers text for standard output, so that a plan of 100,000 lines takes few system calls.
struct OutputBuffer: ~Copyable {
  private let channel: Console.Channel
  private var bytes: [UInt8] = []
  private static let capacity = 64 * 1024

  private init(channel: Console.Channel) {
    self.channel = channel
  }

  /// Adds a line and its end.
  mutating func write(line: String) throws(StreamError) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.capacity { try flush() }
  }

  private mutating func flush() throws(StreamError) {
    if bytes.isEmpty { return }
    try channel.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes what `body` writes to standard output.
  static func deliver(
    to channel: Console.Channel, _ body: (inout OutputBuffer) throws(StreamError) -> Void
  ) throws(CommandFailure) {
    try deliver { () throws(StreamError) in
      var buffer = OutputBuffer(channel: channel)
      try body(&buffer)
      try buffer.flush()
    }
  }

  /// Turns what goes wrong into the command's failure. A reader that has seen enough ends the output and is none.
  static func deliver(_ body: () throws(StreamError) -> Void) throws(CommandFailure) {
    do throws(StreamError) { try body() } catch {
      if error.isBrokenPipe { return }
      throw .surroundings(Failure(error.isFull ? .diskFull : .io, "\(error)"), hint: nil)
    }
  }
}
