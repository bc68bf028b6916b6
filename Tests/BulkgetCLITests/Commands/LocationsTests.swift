import BulkgetKit
import Testing

@testable import BulkgetCLI

struct LocationsTests {
  @Test(
    arguments: [
      (["HOME": "/h"], nil, "/h/.cache/bulkget"),
      (["HOME": "/h", "XDG_CACHE_HOME": "/x"], nil, "/x/bulkget"),
      (["HOME": "/h", "XDG_CACHE_HOME": "/x//y/"], nil, "/x/y/bulkget"),
      (["HOME": "/h", "XDG_CACHE_HOME": "relative"], nil, "/h/.cache/bulkget"),
      (["HOME": "/h", "XDG_CACHE_HOME": ""], nil, "/h/.cache/bulkget"),
      (["HOME": "/h"], "c", "/here/c"), ([:], "./c/./d/", "/here/c/d"), ([:], "/c", "/c"),
      (["HOME": "/h"], "../c", "/here/../c"),
    ] as [([String: String], String?, String)])
  func theCacheIsFoundWhereXDGPutsIt(
    _ environment: [String: String], _ option: String?, _ expected: String
  ) throws {
    var settings = Settings()
    settings.cache = option
    let locations = Locations(environment: environment, currentDirectory: "/here")
    #expect(try locations.cacheDirectory(settings) == expected)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative", "XDG_CACHE_HOME": "relative"]])
  func B082_withoutAPlaceForTheCacheTheOptionIsNamed(_ environment: [String: String]) async {
    let recording = RecordingConsole()
    var world = World(recording)
    world.context.locations = Locations(environment: environment, currentDirectory: "/here")
    #expect(await world.run("cache", "dir") == 4)
    #expect(
      recording.errors == """
        error: no place for the cache: neither XDG_CACHE_HOME nor HOME is set
        hint: name a directory with `--cache DIR`

        """)
  }

  @Test func everyPathOfTheConfigurationIsAbsolute() throws {
    var settings = try settings([
      "run", "m.yaml", "-", "/abs/n.yaml", "--out", "o", "--cache", "c", "--cacert", "ca.pem",
      "--report", "r.json",
    ])
    let locations = Locations(environment: [:], currentDirectory: "/here")
    var configuration = try locations.configuration(settings)
    #expect(configuration.cacheDirectory == "/here/c")
    #expect(configuration.outputDirectory == "/here/o")
    #expect(configuration.certificateAuthorityFile == "/here/ca.pem")
    #expect(
      configuration.reservedPaths == [
        "/here/m.yaml", "/here/m.lock", "/abs/n.yaml", "/abs/n.lock", "/here/r.json",
      ])
    settings.report = nil
    configuration = try locations.configuration(settings)
    #expect(configuration.reservedPaths.last == "/here/bulkget-report.json")
    settings.writesNoReport = true
    configuration = try locations.configuration(settings)
    #expect(
      configuration.reservedPaths == ["/here/m.yaml", "/here/m.lock", "/abs/n.yaml", "/abs/n.lock"])
  }

  @Test func theOutputDirectoryIsTheCurrentOneByDefault() throws {
    let locations = Locations(environment: ["HOME": "/h"], currentDirectory: "/here")
    #expect(try locations.configuration(settings(["run", "m"])).outputDirectory == "/here")
  }

  @Test func platformsAreThisMachinesUnlessOthersAreNamed() throws {
    let locations = Locations(environment: ["HOME": "/h"], currentDirectory: "/")
    let platforms = { (words: [String]) in
      try locations.configuration(settings(["run", "m"] + words)).selection.platforms
    }
    #expect(try platforms([]) == Platform.current.map { [$0] })
    #expect(try platforms(["--platform", "darwin/arm64"])?.map(\.description) == ["darwin/arm64"])
    #expect(try platforms(["--platform", "darwin/arm64", "--platform=all"]) == nil)
  }

  @Test func aCurrentDirectoryThatIsGoneOnlyMattersForRelativePaths() async throws {
    let recording = RecordingConsole()
    var world = World(recording)
    world.context.locations = Locations(environment: [:], currentDirectory: nil)
    #expect(await world.run("cache", "dir", "--cache", "/c") == 0)
    #expect(await world.run("cache", "dir", "--cache", "c") == 4)
    #expect(
      recording.errors == """
        error: cannot find `c`: the current directory does not exist any more
        hint: change to another directory, or give absolute paths

        """)
  }

  @Test(arguments: [
    (["--report", "-"], ReportTarget.standardOutput), (["--no-report"], .none),
    ([], .file(path: "bulkget-report.json", isDefault: true)),
    (["--report", "x"], .file(path: "x", isDefault: false)),
    (["--report", "bulkget-report.json"], .file(path: "bulkget-report.json", isDefault: false)),
  ])
  func theReportGoesWhereItIsAskedFor(_ words: [String], _ target: ReportTarget) throws {
    #expect(ReportTarget(try settings(["run", "m"] + words)) == target)
  }
}
