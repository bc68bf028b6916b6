import BulkgetKit
import TestSupport
import Testing

@testable import BulkgetCLI

struct TrustedCertificatesTests {
  private typealias Source = TrustedCertificates.Source

  @Test(
    arguments: [
      ([:], [], nil), (["SSL_CERT_FILE": "/s"], [], Source(text: "/s", name: "SSL_CERT_FILE")),
      (
        ["SSL_CERT_FILE": "/s", "CURL_CA_BUNDLE": "c"], [],
        Source(text: "/here/c", name: "CURL_CA_BUNDLE")
      ),
      (
        ["SSL_CERT_FILE": "/s", "CURL_CA_BUNDLE": ""], [], Source(text: "/s", name: "SSL_CERT_FILE")
      ),
      (["CURL_CA_BUNDLE": "/c"], ["--cacert", "o"], Source(text: "/here/o", name: "--cacert")),
    ] as [([String: String], [String], TrustedCertificates.Source?)])
  func B118_theOptionWinsThenCurlsVariableThenOpenSSLs(
    _ environment: [String: String], _ words: [String], _ expected: TrustedCertificates.Source?
  ) throws {
    let settings = try settings(["run", "m"] + words)
    let locations = Locations(
      environment: environment.merging(["HOME": "/h"]) { $1 }, currentDirectory: "/here")
    #expect(try locations.trustedCertificates(settings).file == expected)
    #expect(try locations.configuration(settings).certificateAuthorityFile == expected?.text)
  }

  @Test(arguments: [(nil, nil), ("", nil), ("/a:b", "/a:b")] as [(String?, String?)])
  func theDirectoriesArePassedOnAsTheyAre(_ value: String?, _ expected: String?) throws {
    var environment = ["HOME": "/h"]
    environment["SSL_CERT_DIR"] = value
    let locations = Locations(environment: environment, currentDirectory: "/here")
    let configuration = try locations.configuration(settings(["run", "m"]))
    #expect(configuration.certificateAuthorityDirectory == expected)
    #expect(configuration.certificateAuthorityFile == nil)
  }

  @Test(arguments: [
    ("", "is empty"), ("no certificate", "holds no certificate in PEM"),
    ("-----BEGIN PRIVATE KEY-----\n", "holds no certificate in PEM"),
  ])
  func B118_aFileWithoutCertificatesIsNamedWithItsOrigin(_ text: String, _ reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "ca.pem")
    #expect(
      try message(file: path) == "the certificate file `\(path)` of `SSL_CERT_FILE` \(reason)")
  }

  @Test func B118_aFileThatIsMissingOrNoFileIsNamed() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.path("none.pem")
    #expect(try message(file: missing).contains("`\(missing)` of `SSL_CERT_FILE` cannot be used: "))
    #expect(try message(file: directory.path).contains("cannot be used: "))
  }

  @Test(arguments: ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"])
  func certificatesMayFollowComments(_ kind: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("# mine\r\n-----BEGIN \(kind)-----\r\nMII\r\n", to: "ca.pem")
    try TrustedCertificates(file: Source(text: path, name: "--cacert"), directories: nil).check()
  }

  @Test func B118_oneOfTheDirectoriesHasToBeThere() throws {
    let directory = try TemporaryDirectory()
    let missing = directory.path("none")
    let found = TrustedCertificates(
      directories: Source(text: "\(missing):\(directory.path)", name: "SSL_CERT_DIR"))
    try found.check()
    let failure = #expect(throws: CommandFailure.self) {
      try TrustedCertificates(directories: Source(text: missing, name: "SSL_CERT_DIR")).check()
    }
    guard case .problems(let problems) = failure else { throw failure ?? .problems([]) }
    #expect(
      problems.map(\.message) == ["`\(missing)` of `SSL_CERT_DIR` is no directory of certificates"])
  }

  @Test(arguments: [["plan", "m"], ["run", "m", "--no-report"]])
  func B118_badCertificatesEndACommandBeforeItReadsAnything(_ words: [String]) async {
    let recording = RecordingConsole()
    var world = World(recording, environment: ["SSL_CERT_FILE": "/s"])
    world.context.actions.checkCertificates = { certificates throws(CommandFailure) in
      throw .problems([Problem(message: "bad \(certificates.file?.text ?? "")")])
    }
    #expect(await BulkgetCLI.CommandLine.run(words, in: world.context) == .usage)
    #expect(recording.errors == "error: bad /s\n")
  }

  private func message(file path: String) throws -> String {
    let failure = #expect(throws: CommandFailure.self) {
      try TrustedCertificates(file: Source(text: path, name: "SSL_CERT_FILE")).check()
    }
    guard case .problems(let problems) = failure else { throw failure ?? .problems([]) }
    return try #require(problems.first).message
  }
}
