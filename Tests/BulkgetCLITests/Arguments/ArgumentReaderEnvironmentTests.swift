import BulkgetKit
import Testing

@testable import BulkgetCLI

struct ArgumentReaderEnvironmentTests {
  @Test func everyOptionHasAVariableOfItsName() {
    let variables = CommandTable.run.options.map(\.environmentVariable)
    #expect(variables.contains("BULKGET_JOBS"))
    #expect(variables.contains("BULKGET_RETRY_WAIT_MAX"))
    #expect(Set(variables).count == variables.count)
  }

  @Test func aVariableStandsInForAnOption() throws {
    let settings = try settings(
      ["run", "m"], environment: ["BULKGET_JOBS": "3", "BULKGET_MAX_FILE_SIZE": "1M"])
    #expect(settings.configuration.jobs == 3)
    #expect(settings.configuration.maximumFileSize == 1_000_000)
  }

  @Test func theCommandLineWins() throws {
    let environment = ["BULKGET_JOBS": "3", "BULKGET_ONLY": "a", "BULKGET_COLOR": "nonsense"]
    let settings = try settings(
      ["run", "m", "-j", "4", "--only", "b", "--color=always"], environment: environment)
    #expect(settings.configuration.jobs == 4)
    #expect(settings.configuration.selection.idPatterns == ["b"])
    #expect(settings.color == .always)
  }

  @Test(arguments: [
    ("1", true), ("true", true), ("TRUE", true), ("0", false), ("false", false), ("", false),
  ])
  func aFlagIsOnOrOff(_ text: String, _ expected: Bool) throws {
    let settings = try settings(["run", "m"], environment: ["BULKGET_OFFLINE": text])
    #expect(settings.configuration.isOffline == expected)
  }

  @Test func anEmptyVariableIsNone() throws {
    let settings = try settings(
      ["run", "m"], environment: ["BULKGET_JOBS": "", "BULKGET_TAG": ""])
    #expect(settings.configuration.jobs == 16)
    #expect(settings.configuration.selection.tags.isEmpty)
  }

  @Test func aRepeatableOptionTakesAValueALine() throws {
    let settings = try settings(["run", "m"], environment: ["BULKGET_TAG": "a,b\nc d\n"])
    #expect(settings.configuration.selection.tags == ["a,b", "c d"])
  }

  @Test func aVariableOfAnotherCommandIsIgnored() throws {
    let environment = ["BULKGET_JOBS": "nonsense", "BULKGET_CACHE": "/c"]
    #expect(try settings(["cache", "list"], environment: environment).cache == "/c")
  }

  @Test func aVariableThatMeansNothingHereIsIgnored() throws {
    let settings = try settings(["run", "m"], environment: ["BULKGET_JSON": "1"])
    #expect(!settings.printsJSON)
  }

  @Test func variablesMaySupportEachOther() throws {
    let settings = try settings(
      ["run", "m"], environment: ["BULKGET_JSON": "1", "BULKGET_DRY_RUN": "1"])
    #expect(settings.printsJSON && settings.plansOnly)
  }

  @Test func theCommandLineWinsOverAVariableThatContradictsIt() throws {
    let settings = try settings(
      ["run", "m", "-v", "--report=r.json"],
      environment: ["BULKGET_QUIET": "1", "BULKGET_NO_REPORT": "true"])
    #expect(settings.isVerbose && !settings.isQuiet)
    #expect(settings.report == "r.json" && !settings.writesNoReport)
  }

  @Test func aFlagThatIsOffContradictsNothing() throws {
    let settings = try settings(
      ["run", "m"], environment: ["BULKGET_FORCE": "1", "BULKGET_OFFLINE": "0"])
    #expect(settings.configuration.downloadsEverything && !settings.configuration.isOffline)
  }
}
