import BulkgetKit
import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct HelpAndSchemaTests {
  @Test func theVersionIsThatOfTheLibrary() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("--version") == 0)
    #expect(recording.output == "bulkget \(BulkgetVersion.current)\n")
  }

  @Test func helpOfACommandIsTheSameInBothForms() async {
    let (first, second) = (RecordingConsole(), RecordingConsole())
    #expect(await World(first).run("help", "cache", "size") == 0)
    #expect(await World(second).run("cache", "size", "--help") == 0)
    #expect(first.output == second.output && first.output.hasPrefix("bulkget cache size: "))
  }

  @Test(arguments: SchemaName.allCases)
  func everySchemaIsPrinted(_ name: SchemaName) async {
    let recording = RecordingConsole()
    var world = World(recording)
    world.context.actions.write = { document, sink throws(StreamError) in
      guard case .schema(let asked) = document else { return }
      try sink(Array("{\"title\": \"\(asked.rawValue)\"}\n".utf8))
    }
    #expect(await world.run("schema", name.rawValue) == 0)
    #expect(recording.output == "{\"title\": \"\(name.rawValue)\"}\n")
  }

  @Test func B107_helpIntoAFullStreamIsStatusFour() async {
    let recording = RecordingConsole(outputFailure: .full(.output))
    #expect(await World(recording).run("--help") == 4)
  }
}
