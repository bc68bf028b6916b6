import BulkgetKit
import BulkgetSystem
import Foundation

/// What a command has to work with: the world as values and closures.
struct CommandContext: Sendable {
  var console: Console
  var actions: Actions
  var locations: Locations
  /// The time of day.
  var now: @Sendable () -> Date = { Date() }
  /// The moment by a clock that nobody sets.
  var instant: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Starts to listen for signals.
  var listen: @Sendable (Interruption) throws(SystemError) -> Void = {
    interruption throws(SystemError) in
    try SignalTrap.install { interruption.raise($0) }
  }
  /// How long planning may go on after a signal; then the report is written without its files.
  var planningGrace: Duration = .seconds(2)

  /// Says an error or a warning as it is rendered.
  var errorText: ErrorText { ErrorText(palette: console.errors.palette) }

  /// The configuration of a plan or a run, after a look at the certificates that it names.
  func configuration(_ settings: Settings) throws(CommandFailure) -> Configuration {
    let certificates = try locations.trustedCertificates(settings)
    if !certificates.isDefault { try actions.checkCertificates(certificates) }
    return try locations.configuration(settings)
  }

  /// Writes what `body` writes to standard output.
  func print(
    _ body: (inout OutputBuffer) throws(StreamError) -> Void
  ) throws(CommandFailure) {
    try OutputBuffer.deliver(to: console.output, body)
  }

  /// Writes a document to standard output, piece by piece.
  func print(_ document: Document) throws(CommandFailure) {
    let channel = console.output
    try OutputBuffer.deliver { () throws(StreamError) in
      try actions.write(document) { bytes throws(StreamError) in try channel.write(copy bytes) }
    }
  }

  /// Says warnings, unless only errors are wanted.
  func warn(_ notices: [Notice], _ verbosity: Verbosity) {
    if verbosity == .quiet || notices.isEmpty { return }
    console.say(notices.map { errorText.warning($0) }.joined(separator: "\n"))
  }
}

extension CommandFailure {
  /// A system call on a path of the user's failed.
  init(_ error: SystemError, hint: String? = nil) {
    self = .surroundings(Failure(error), hint: hint)
  }
}
