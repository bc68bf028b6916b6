import BulkgetKit
import BulkgetSystem
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What people copy must work.
@Suite struct ManifestDocumentationTests {
  /// The package's directory, found from this file's place in it.
  private static let package = #filePath.split(separator: "/").dropLast(4).reduce("") {
    $0 + "/" + $1
  }

  private func text(_ path: String) throws -> String {
    let file = try FileDescriptor(opening: Self.package + "/" + path, O_RDONLY)
    return String(decoding: try #require(try file.readAll(limit: 1_000_000)), as: UTF8.self)
  }

  /// The pieces of a Markdown text that stand between fences of a language.
  private func examples(_ language: String, in markdown: String) -> [String] {
    markdown.components(separatedBy: "```" + language + "\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test(arguments: ["quickstart.yaml", "ci-toolchain.yaml", "models.yaml", "packages.json"])
  func everyExampleIsReadWithoutAnyEnvironment(name: String) throws {
    let manifest = try Manifest(reading: Self.package + "/manifests/" + name, environment: [:])
    #expect(!manifest.entries.isEmpty)
    #expect(manifest.warnings.isEmpty)
  }

  @Test func noExampleIsForgotten() throws {
    let names = try #require(try FileSystem.names(in: Self.package + "/manifests"))
    let tested = ["quickstart.yaml", "ci-toolchain.yaml", "models.yaml", "packages.json"]
    #expect(names.filter { !tested.contains($0) } == [])
  }

  @Test func theQuickstartAsksTheLoopbackServer() throws {
    let path = Self.package + "/manifests/quickstart.yaml"
    let manifest = try Manifest(
      reading: path, environment: ["DEMO_SERVER": "http://127.0.0.1:1234"])
    let urls = manifest.entries.flatMap(\.sources).compactMap { source in
      if case .remote(let url) = source { url } else { nil }
    }
    #expect(urls.count == 6)
    #expect(urls.allSatisfy { $0.origin.isLoopback && $0.port == 1234 })
    #expect(
      manifest.entries.map { $0.type?.description } == ["txt", "csv", "tar.gz", "bin", "svg"])
  }

  @Test func theToolchainNeedsNoTokenToBePlanned() throws {
    let path = Self.package + "/manifests/ci-toolchain.yaml"
    let without = try Manifest(reading: path, environment: [:])
    #expect(without.hosts["artifacts.example.org"]?.credential == nil)
    let with = try Manifest(reading: path, environment: ["ARTIFACT_TOKEN": "T"])
    #expect(with.hosts["artifacts.example.org"]?.credential == .bearer("T"))
    #expect(with.entries.filter(\.isExecutable).count == 3)
  }

  @Test func thePackagesAreJSON() throws {
    let entry = try #require(
      try Manifest(reading: Self.package + "/manifests/packages.json", environment: [:]).entries
        .last)
    #expect(entry.key.id == "@scope/emoji-😀@2.0.0")
    #expect(entry.type?.description == "tgz")
  }

  @Test func everyExampleOfTheReferenceIsAManifest() throws {
    let examples = examples("yaml", in: try text("docs/manifest.md"))
    #expect(examples.count == 4)
    for example in examples {
      let manifest = try manifest(example, environment: ["ARTIFACT_TOKEN": "T"])
      #expect(manifest.warnings.isEmpty)
    }
  }

  @Test func theReferenceShowsAnErrorAsItIsPrinted() throws {
    let shown = try #require(examples("text", in: try text("docs/manifest.md")).first)
    let printed = errorText(entryText("sha256: da39a3ee5e6b4b0d3255bfef95601890afd80709"))
    #expect(printed.replacing("m.yaml", with: "manifest.yaml") + "\n" == shown)
  }

  @Test func aKeyWithoutAValueLiftsADefaultAsTheReferenceSays() throws {
    let example = examples("yaml", in: try text("docs/manifest.md"))[1]
    let entries = try manifest(example).entries
    #expect(entries.map { $0.type?.description } == ["zip", "tar"])
    #expect(entries.map(\.headers.count) == [1, 0])
    #expect(entries.map(\.tags) == [["nightly"], ["nightly"]])
  }

  @Test func everyKeyIsInTheReference() throws {
    let reference = try text("docs/manifest.md")
    let keys = [
      "id", "url", "urls", "type", "sha256", "sha512", "sha384", "sha1", "md5", "integrity", "size",
      "dest",
      "executable", "optional", "freshness", "headers", "tags", "platforms", "priority", "version",
      "namespace",
      "variables", "defaults", "hosts", "files", "$schema", "auth", "allow-http", "connections",
    ]
    for key in keys { #expect(reference.contains("`\(key)`"), "\(key)") }
  }
}
