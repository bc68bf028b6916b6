import BulkgetSystem
import TestSupport
import Testing

/// Manifests that have nothing in them, or come from somewhere else.
@Suite(.blocking) struct ManifestInputCases {
  @Test func B103_noFilesAreNoError() throws {
    let site = try ProgramSite()
    try site.directory.write("files: []\n", to: "manifest.yaml")
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 0, "\(ended)")
    let report = try site.report()
    #expect(report.status == "succeeded" && report.files?.isEmpty == true)
  }

  @Test(arguments: ["", "# only a comment\n", "null\n", "files:\n", "- id: a\n", "--- \n...\n"])
  func B103_aManifestWithNothingInItIsRefused(_ text: String) throws {
    let site = try ProgramSite()
    try site.directory.write(text, to: "manifest.yaml")
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(ended.output.errorText.hasPrefix("error: manifest.yaml:"))
    #expect(try site.report().problems?.count == 1)
  }

  @Test(arguments: ["none.yaml", "."])
  func B103_whatIsNoFileIsRefused(_ path: String) throws {
    let site = try ProgramSite()
    for command in ["run", "plan"] {
      let ended = try site.run(command, path)
      #expect(ended.exitStatus == 2, "\(ended)")
      #expect(ended.output.errorText.hasPrefix("error: \(path):"))
    }
  }

  @Test func B103_aHugeFileIsRefusedInFlatMemory() throws {
    let site = try ProgramSite()
    let path = try site.directory.write("", to: "manifest.yaml")
    try FileDescriptor.updating(path).truncate(to: 1 << 30)
    let ended = try site.run("run", "manifest.yaml")
    #expect(ended.exitStatus == 2, "\(ended)")
    #expect(ended.output.errorText.contains("256 MiB"))
    #expect(ended.peakMemory < 400 << 20)
  }

  @Test func aManifestCanComeFromStandardInput() throws {
    let site = try ProgramSite()
    let text = "files: [{id: a, url: \"\(site.server.url("/a.bin"))\", dest: a.bin}]"
    let plan = try site.run("plan", "-") { $0.input = .bytes(Array(text.utf8)) }
    #expect(plan.exitStatus == 0 && plan.output.text.hasPrefix("+ a  bin"), "\(plan)")
    let ended = try site.run("run", "-") { $0.input = .bytes(Array(text.utf8)) }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.directory.read("out/a.bin") == Array("hello".utf8))
  }

  @Test func severalManifestsAreOneRun() throws {
    let site = try ProgramSite()
    try site.writeManifest(["a"])
    let text = "files: [{id: b, url: \"\(site.server.url("/b.bin"))\"}]"
    let ended = try site.run("run", "manifest.yaml", "-") { $0.input = .bytes(Array(text.utf8)) }
    #expect(ended.exitStatus == 0, "\(ended)")
    #expect(try site.report().files?.map(\.id) == ["a", "b"])
  }
}
