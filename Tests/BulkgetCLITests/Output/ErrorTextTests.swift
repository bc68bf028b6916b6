import BulkgetKit
import Testing

@testable import BulkgetCLI

struct ErrorTextTests {
  private let text = ErrorText(palette: Palette(isColored: false))

  @Test func aProblemPointsAtItsPlace() {
    var problem = Problem(
      file: "manifests/models.yaml", line: 12, column: 13,
      message: "checksum must be 64 hexadecimal digits, found 63")
    problem.excerpt = Problem.Excerpt(text: "    sha256: 7f83b165", caretColumnCount: 12)
    problem.hint = "copy the whole line"
    #expect(
      text.failure(.problems([problem])) == """
        error: manifests/models.yaml:12:13: checksum must be 64 hexadecimal digits, found 63
          12 |     sha256: 7f83b165
             |             ^
        hint: copy the whole line
        """)
  }

  @Test func severalProblemsAreSaidTogetherAndCounted() {
    let problems = [
      Problem(file: "a.yaml", line: 1, column: 2, message: "one"),
      Problem(file: "b.yaml", line: 0, column: 0, message: "no such file"),
      Problem(message: "`--only x` matches no id", hint: "`bulkget plan -v` shows the ids"),
    ]
    #expect(
      text.failure(.problems(problems)) == """
        error: a.yaml:1:2: one
        error: b.yaml: no such file
        error: `--only x` matches no id
        hint: `bulkget plan -v` shows the ids
        error: 3 problems, nothing was attempted
        """)
  }

  @Test func surroundingsSayWhatToDo() {
    let failure = Failure(.cacheUnwritable, "cannot use `/c`")
    #expect(
      text.failure(.surroundings(failure, hint: "name another with `--cache DIR`"))
        == "error: cannot use `/c`\nhint: name another with `--cache DIR`")
    #expect(text.failure(.notFound("`x` is not there", hint: nil)) == "error: `x` is not there")
  }

  @Test func wordsInFrontAreColoured() {
    let colored = ErrorText(palette: Palette(isColored: true))
    #expect(
      colored.error("x", hint: "y")
        == "\u{1B}[1;31merror:\u{1B}[0m x\n\u{1B}[36mhint:\u{1B}[0m y")
  }

  @Test func B071_linesOfManifestsAreEscaped() {
    var problem = Problem(file: "m\u{1B}.yaml", line: 1, column: 1, message: "bad \u{9B}")
    problem.excerpt = Problem.Excerpt(text: "\u{1B}]0;X\u{7}", caretColumnCount: 0)
    #expect(
      text.failure(.problems([problem])) == """
        error: m\\u001b.yaml:1:1: bad \\u009b
          1 | \\u001b]0;X\\u0007
            | ^
        """)
  }
}
