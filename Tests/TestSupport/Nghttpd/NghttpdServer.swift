import BulkgetSystem
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real nghttpd, nghttp2's own server: HTTPS with HTTP/2 and nothing else on 127.0.0.1.
///
/// It shares no code with nginx. It refuses streams beyond its limit where nginx would have them wait, and it tells every
/// frame. A request for a directory is redirected to the same path with a slash at its end, where `index.html` is sent.
/// It is stopped when its last owner lets go of it.
package final class NghttpdServer: Sendable {
  package let port: UInt16
  /// The CA that the server's certificate comes from.
  package let authority: CertificateAuthority
  private let process: ChildProcess

  /// Starts it on a directory, with further options of the command line.
  package init(root: String, _ options: [String] = []) throws {
    authority = try CertificateAuthority()
    let identity = try authority.makeIdentity()
    // It takes no socket that is open already. Held until it listens, the port goes to nobody else meanwhile.
    let socket = try Socket.bound(.ipv4, port: 0)
    port = socket.localPort
    let words = [
      "--verbose", "--address=127.0.0.1", "--htdocs=\(root)", "\(port)", identity.keyFile,
      identity.certificateFile,
    ]
    process = try ChildProcess.start(tool: Launch("nghttpd", options + words))
    try withExtendedLifetime(socket) {
      try process.wait(for: "word that nghttpd listens") { $0.text.contains("listen 127.0.0.1") }
    }
  }

  deinit {
    process.send(SIGTERM)
    // Where it doesn't end in time, its process object kills it.
    _ = try? process.wait()
  }

  /// A URL at the server.
  package func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

  /// Ends it, and gives everything that it did.
  package func stop() throws -> Log {
    process.send(SIGTERM)
    return Log(text: try process.wait().output.text)
  }

  /// Every frame that was sent and received.
  package struct Log: Sendable, CustomStringConvertible {
    private let lines: [Substring]

    init(text: String) {
      lines = text.split(separator: "\n")
    }

    /// The frames, `id=` and the connection's number before each.
    package var description: String { lines.joined(separator: "\n") }

    package var connectionCount: Int {
      Set(lines.filter { $0.hasPrefix("[id=") }.map { $0.prefix { $0 != "]" } }).count
    }

    /// The paths that were asked for, in their order.
    package var paths: [String] {
      lines.compactMap { line in
        line.range(of: ") :path: ").map { String(line[$0.upperBound...]) }
      }
    }

    /// How many streams were refused before anything was done for them (RFC 9113 §8.7).
    package var refusedStreamCount: Int { lines.count { $0.contains("REFUSED_STREAM") } }
  }
}
