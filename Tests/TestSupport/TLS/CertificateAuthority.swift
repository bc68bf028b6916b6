import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A certificate and its key, as PEM files.
package struct TLSIdentity: Sendable {
  package let certificateFile: String
  package let keyFile: String
}

/// A company's own CA: nobody trusts it who wasn't told to. Made by the `openssl` command in a temporary directory.
package final class CertificateAuthority: Sendable {
  private let directory: TemporaryDirectory
  /// The CA's own certificate in PEM.
  package let certificateFile: String

  package init() throws {
    directory = try TemporaryDirectory()
    certificateFile = directory.path + "/ca.pem"
    try openSSL(
      Self.newKey + [
        "-x509", "-days", "3650", "-subj", "/CN=bulkget test CA", "-keyout",
        directory.path + "/ca.key", "-out", certificateFile,
      ])
  }

  private static let newKey = [
    "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  /// A server's certificate for these names and addresses.
  package func makeIdentity(
    _ name: String = "server",
    for alternativeNames: [String] = ["IP:127.0.0.1", "IP:::1", "DNS:localhost"]
  ) throws -> TLSIdentity {
    let base = "\(directory.path)/\(name)"
    try openSSL(
      Self.newKey + ["-subj", "/CN=\(name)", "-keyout", base + ".key", "-out", base + ".csr"])
    let extensions = try FileDescriptor(
      opening: base + ".ext", O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    let list = alternativeNames.joined(separator: ",")
    try extensions.write(Array("subjectAltName=\(list)\nbasicConstraints=CA:FALSE\n".utf8))
    try openSSL([
      "x509", "-req", "-days", "3650", "-in", base + ".csr", "-extfile", base + ".ext", "-CA",
      certificateFile, "-CAkey", directory.path + "/ca.key",
      // Not a serial number from a file, which tests at the same time would tear.
      "-set_serial", String(UInt64.random(in: 1 ... .max)), "-out", base + ".pem",
    ])
    return TLSIdentity(certificateFile: base + ".pem", keyFile: base + ".key")
  }

  /// A directory as SSL_CERT_DIR wants it: the CA's certificate under the hash of its subject.
  package func makeHashedDirectory() throws -> String {
    let path = directory.path + "/hashed"
    try FileSystem.makeDirectories(path)
    let hash = try openSSL(["x509", "-in", certificateFile, "-noout", "-subject_hash"])
    let name = hash.split(separator: "\n").first.map(String.init) ?? hash
    try FileSystem.makeSymbolicLink("\(path)/\(name).0", to: certificateFile)
    return path
  }

  @discardableResult
  private func openSSL(_ arguments: [String]) throws -> String {
    try ChildProcess.run(tool: Launch("openssl", arguments))
  }
}
