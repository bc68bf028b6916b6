import BulkgetSystem
import Testing

@testable import BulkgetCLI

struct ConsoleTests {
  @Test(
    arguments: [
      (ColorChoice.auto, true, [:], true), (.auto, false, [:], false),
      (.auto, true, ["NO_COLOR": "1"], false), (.auto, true, ["NO_COLOR": ""], true),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, ["TERM": "xterm-256color"], true),
      (.never, true, [:], false), (.always, false, [:], true),
      (.always, true, ["NO_COLOR": "1"], true),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func coloursAreUsedWhereTheyAreWanted(
    _ choice: ColorChoice, _ isTerminal: Bool, _ environment: [String: String], _ expected: Bool
  ) {
    #expect(choice.isColored(onTerminal: isTerminal, environment: environment) == expected)
  }

  @Test func aPaletteWithoutColoursLeavesTextAlone() {
    #expect(Palette(isColored: false).paint("x", .red) == "x")
    #expect(Palette(isColored: true).paint("x", nil) == "x")
    #expect(Palette(isColored: true).paint("x", .red) == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func aStandardErrorThatFailsIsNobodysProblem() {
    var console = RecordingConsole().console
    console.errors.write = { _ throws(StreamError) in throw .brokenPipe(.error) }
    console.say("nobody hears this")
  }

  @Test func messagesEndWithALineFeed() {
    let recording = RecordingConsole()
    recording.console.say("one\ntwo")
    #expect(recording.errors == "one\ntwo\n")
  }

  @Test func anExplicitChoiceRecoloursBothStreams() {
    var console = RecordingConsole().console
    console.recolor(.always, environment: [:])
    #expect(console.output.palette.isColored && console.errors.palette.isColored)
    console.recolor(.auto, environment: [:])
    #expect(!console.output.palette.isColored && !console.errors.palette.isColored)
  }
}
