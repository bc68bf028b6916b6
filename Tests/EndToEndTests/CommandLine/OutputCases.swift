import Foundation
import TestSupport
import Testing

/// What goes to standard output and standard error, and in which form.
@Suite(.blocking) struct OutputCases {
  /// Retries, redirects, warnings and a failure.
  private func eventfulSite() throws -> ProgramSite {
    let site = try ProgramSite([
      "/busy.bin": [.respond(Response(503)), .respond(.text("ok"))],
      "/moved.bin": [.respond(.redirect(to: "/target"))],
      "/unending.bin": [.respond(.text("some").framed(.untilClose))],
    ])
    try site.writeManifest(["busy", "moved", "unending", "plain"])
    return site
  }

  @Test func B106_aReportOnStandardOutputIsOneDocument() throws {
    let site = try eventfulSite()
    let ended = try site.run("run", "manifest.yaml", "--report", "-", "-v")
    #expect(ended.exitStatus == 0, "\(ended)")
    let report = try ProgramReport(ended.output.standardOutput)
    #expect(report.kind == "run" && report.exitStatus == 0)
    #expect(report.statuses == Array(repeating: "downloaded", count: 4))
    #expect(ended.output.text.hasSuffix("}\n"))
    #expect(ended.output.errorText.contains("retry: busy: "))
    #expect(ended.output.errorText.contains("warning: unending: "))
    #expect(ended.output.errorText.contains("4 downloaded"))
    #expect(try !site.exists("bulkget-report.json"))
  }

  @Test func B106_aRunThatFailsHasOneDocumentToo() throws {
    let site = try eventfulSite()
    site.server.route("/plain.bin", .respond(Response(404)))
    let ended = try site.run("run", "manifest.yaml", "--report", "-", "-v")
    #expect(ended.exitStatus == 1, "\(ended)")
    #expect(try ProgramReport(ended.output.standardOutput).statuses.last == "failed")
    #expect(ended.output.errorText.contains("error: plain: "))
  }

  @Test(arguments: [
    ["run", "manifest.yaml", "--report", "-", "-v"], ["plan", "manifest.yaml", "--json"],
  ])
  func B106_aManifestErrorIsOneDocumentToo(_ words: [String]) throws {
    let site = try ProgramSite()
    try site.directory.write("files:\n  - id: a\n    ulr: x\n", to: "manifest.yaml")
    let ended = try ChildProcess.run(site.launch(words))
    #expect(ended.exitStatus == 2, "\(ended)")
    let report = try ProgramReport(ended.output.standardOutput)
    #expect(report.exitStatus == 2 && report.status == "failed")
    #expect(report.problems?.map(\.line) == [2, 3])
    #expect(report.problems?.map(\.file) == ["manifest.yaml", "manifest.yaml"])
    #expect(ended.output.errorText.contains("error: manifest.yaml:3:5: "))
  }

  @Test func B106_aPlanAsJSONIsOneDocument() throws {
    let site = try eventfulSite()
    let ended = try site.run("plan", "manifest.yaml", "--json", "-v")
    #expect(ended.exitStatus == 0, "\(ended)")
    let plan = try ProgramReport(ended.output.standardOutput)
    #expect(
      plan.kind == "plan" && plan.files?.map(\.action) == Array(repeating: "download", count: 4))
    #expect(plan.totals?["download"] == 4)
    #expect(site.server.requests.isEmpty)
  }

  @Test func whatIsNotAskedForGoesToStandardError() throws {
    let site = try eventfulSite()
    let ended = try site.run("run", "manifest.yaml", "-v")
    #expect(ended.exitStatus == 0 && ended.output.text.isEmpty)
    let quiet = try site.run("run", "manifest.yaml", "-q", "--force")
    #expect(quiet.exitStatus == 0 && quiet.output.description.isEmpty, "\(quiet)")
  }

  @Test(arguments: ["manifest", "plan", "report"])
  func everySchemaIsJSON(_ name: String) throws {
    let site = try ProgramSite()
    let ended = try site.run("schema", name)
    #expect(ended.exitStatus == 0 && ended.output.standardError.isEmpty)
    let value = try JSONSerialization.jsonObject(with: Data(ended.output.standardOutput))
    let schema = try #require(value as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test(arguments: [
    [], ["run"], ["plan"], ["cache"], ["cache", "dir"], ["cache", "list"], ["cache", "size"],
    ["cache", "path"], ["schema"], ["help"],
  ])
  func helpFitsA80ColumnTerminal(_ command: [String]) throws {
    let site = try ProgramSite()
    let ended = try ChildProcess.run(site.launch(command + ["--help"]))
    #expect(ended.exitStatus == 0 && ended.output.standardError.isEmpty)
    let lines = ended.output.text.split(separator: "\n")
    #expect(lines.count > 3)
    #expect(lines.filter { $0.count > 80 }.isEmpty)
    let name = (["bulkget"] + command).joined(separator: " ")
    #expect(ended.output.text.hasPrefix("\(name): "))
  }

  // MARK: Terminal codes

  @Test func B071_textOfServersNeverReachesTheTerminalUnescaped() throws {
    let site = try ProgramSite([
      "/reason.bin": [
        .respond(.raw("HTTP/1.1 500 \u{1B}[2J\rOops\u{9B}\r\nContent-Length: 0\r\n\r\n"))
      ],
      "/type.bin": [
        .respond(.text("<html><body>x", type: "text/html; \u{1B}]0;X\u{7}"))
      ],
      "/location.bin": [.respond(.redirect(to: "http://127.0.0.1:1/\u{1B}[31m\u{9B}x"))],
    ])
    try site.writeManifest(["reason", "type", "location"])
    let ended = try site.run("run", "manifest.yaml", "-v", "--retries", "1")
    #expect(ended.exitStatus == 1, "\(ended)")
    expectHarmless(ended.output.standardError)
    let report = try site.directory.read("bulkget-report.json")
    #expect(!report.contains(0x1B) && String(validating: report, as: UTF8.self) != nil)
  }

  @Test(arguments: [
    "files:\n  - id: \"a\\e[2J\"\n    url: x\n", "files:\n  - id: \"a\\e]0;X\\a\"\n    url: x\n",
    "files:\n  - id: a\u{1B}[2J\n", "files:\n  - ulr: \"\u{9B}31m\"\n", "files: [\u{85}\u{9B}",
    "files:\n  - url: x\n    \"\u{202E}\": 1\n",
  ])
  func B071_textOfManifestsNeverReachesTheTerminalUnescaped(_ text: String) throws {
    let site = try ProgramSite()
    try site.directory.write(text, to: "manifest.yaml")
    let ended = try site.run("plan", "manifest.yaml")
    #expect(ended.exitStatus == 2, "\(ended)")
    expectHarmless(ended.output.standardError)
  }

  @Test func B071_bytesThatAreNoTextNeverReachTheTerminal() throws {
    let site = try ProgramSite()
    try site.directory.write(Array("files:\n  - id: ".utf8) + [0x9B, 0x0A], to: "manifest.yaml")
    let ended = try site.run("plan", "manifest.yaml")
    #expect(ended.exitStatus == 2, "\(ended)")
    expectHarmless(ended.output.standardError)
  }

  @Test func B071_wordsOfTheCommandLineAreEscapedToo() throws {
    let site = try ProgramSite()
    let ended = try site.run("run", "none\u{1B}[2J\u{9B}.yaml", "--no-report")
    #expect(ended.exitStatus == 2)
    expectHarmless(ended.output.standardError)
    #expect(ended.output.errorText.contains("none\\u001b[2J\\u009b.yaml"))
  }

  /// Nothing that a terminal obeys, and no invalid UTF-8.
  private func expectHarmless(_ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      Issue.record("invalid UTF-8", sourceLocation: location)
      return
    }
    let bad = text.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
    }
    #expect(bad.isEmpty, "\(text.debugDescription)", sourceLocation: location)
  }
}
