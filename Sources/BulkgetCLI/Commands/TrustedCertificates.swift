import BulkgetKit
import BulkgetSystem

/// The certificates that servers are checked against, where somebody has named others than the system's.
///
/// The file is that of `--cacert`, else of `CURL_CA_BUNDLE`, else of `SSL_CERT_FILE`; the directories, separated by colons,
/// are those of `SSL_CERT_DIR`. A variable that is empty counts as not set.
struct TrustedCertificates: Hashable, Sendable {
  /// A text and who gave it.
  struct Source: Hashable, Sendable {
    /// A path, or several of them for directories.
    var text: String
    /// The option or the variable.
    var name: String
  }

  var file: Source?
  var directories: Source?

  /// Whether nobody has named any.
  var isDefault: Bool { file == nil && directories == nil }

  /// Makes sure that the file has certificates, and that there is a directory.
  func check() throws(CommandFailure) {
    if let file { try Self.checkFile(file) }
    if let directories { try Self.checkDirectories(directories) }
  }

  private static func checkFile(_ file: Source) throws(CommandFailure) {
    let bytes: [UInt8]?
    do {
      bytes = try FileDescriptor.reading(file.text).readAll(limit: maximumByteCount)
    } catch {
      throw problem(file, "cannot be used: \(error.description)")
    }
    guard let bytes else { throw problem(file, "is larger than 64 MiB") }
    if bytes.isEmpty { throw problem(file, "is empty") }
    let text = String(decoding: bytes, as: UTF8.self)
    let hasCertificate = text.split(whereSeparator: \.isNewline).contains { line in
      markers.contains { line.hasPrefix($0) }
    }
    if !hasCertificate { throw problem(file, "holds no certificate in PEM") }
  }

  /// A list for several kinds of systems names directories that only some of them have; one has to be there.
  private static func checkDirectories(_ list: Source) throws(CommandFailure) {
    let paths = list.text.split(separator: ":").map(String.init)
    if paths.contains(where: FileSystem.isDirectory) { return }
    throw .problems([
      Problem(
        message: "`\(list.text)` of `\(list.name)` is no directory of certificates",
        hint: "name one with certificates under their hashed names, or unset `\(list.name)`")
    ])
  }

  private static func problem(_ file: Source, _ reason: String) -> CommandFailure {
    .problems([
      Problem(
        message: "the certificate file `\(file.text)` of `\(file.name)` \(reason)",
        hint:
          "name a file of trusted certificates in PEM, or leave `\(file.name)` out for the system's"
      )
    ])
  }

  private static let maximumByteCount = 64 << 20

  /// How a certificate begins, in the forms that OpenSSL reads.
  private static let markers = [
    "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
    "-----BEGIN X509 CERTIFICATE-----",
  ]
}

extension Locations {
  /// The certificates that the options, else the environment name.
  func trustedCertificates(_ settings: Settings) throws(CommandFailure) -> TrustedCertificates {
    var certificates = TrustedCertificates()
    if let path = settings.configuration.certificateAuthorityFile {
      certificates.file = .init(text: try absolute(path), name: "--cacert")
    } else {
      for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
        guard let path = environment[name], !path.isEmpty else { continue }
        certificates.file = .init(text: try absolute(path), name: name)
      }
    }
    if let list = environment["SSL_CERT_DIR"], !list.isEmpty {
      certificates.directories = .init(text: list, name: "SSL_CERT_DIR")
    }
    return certificates
  }
}
