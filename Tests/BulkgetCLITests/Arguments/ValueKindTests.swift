import Testing

@testable import BulkgetCLI

struct ValueKindTests {
  @Test(arguments: [
    ("90", Duration.seconds(90)), ("0.5s", .milliseconds(500)), ("10m", .seconds(600)),
    ("2h", .seconds(7200)), ("7d", .seconds(604_800)), ("1.5h", .seconds(5400)),
    ("0.001", .milliseconds(1)), ("36500d", .seconds(36_500 * 86_400)),
    ("0.000000001s", .nanoseconds(1)),
  ])
  func durationsAreReadExactly(_ text: String, _ expected: Duration) throws {
    #expect(try ValueKind.duration().read(text) == expected)
  }

  @Test(arguments: [
    "", "s", "-1", "+1", "1 s", "1S", "1ms", "1h30m", ".5", "5.", "1.2.3", "1e3", "36501d",
    "99999999999999999999", "0.0000000001", "٣",
  ])
  func whatIsNoDurationIsRefused(_ text: String) {
    #expect(throws: ValueRefusal.self) { try ValueKind.duration().read(text) }
  }

  @Test func zeroIsAWaitButNoLimit() throws {
    #expect(try ValueKind.duration(allowsZero: true).read("0") == .zero)
    #expect(throws: ValueRefusal(expectation: "a time longer than 0")) {
      try ValueKind.duration().read("0m")
    }
  }

  @Test(arguments: [
    ("1", Int64(1)), ("4096", 4096), ("20M", 20_000_000), ("1.5G", 1_500_000_000), ("2k", 2000),
    ("1Ki", 1024), ("2Mi", 2_097_152), ("1.5Gi", 1_610_612_736), ("1T", 1_000_000_000_000),
    ("1Ti", 1_099_511_627_776), ("20MB", 20_000_000), ("4KiB", 4096), ("512B", 512),
    ("0.5K", 500),
  ])
  func sizesAreReadExactly(_ text: String, _ expected: Int64) throws {
    #expect(try ValueKind<Int64>.size().read(text) == expected)
  }

  @Test(arguments: [
    "", "K", "0", "0K", "-1", "1X", "1i", "1iB", "1 K", "1.5", "0.0001K", "9999999999T", "1KK",
    "1Kib2",
  ])
  func whatIsNoSizeIsRefused(_ text: String) {
    #expect(throws: ValueRefusal.self) { try ValueKind<Int64>.size().read(text) }
  }

  @Test(arguments: ["", " 1", "1.0", "+1", "0x10", "1_000", "99999999999999999999"])
  func whatIsNoWholeNumberIsRefused(_ text: String) {
    #expect(throws: ValueRefusal.self) { try ValueKind.integer(0...100).read(text) }
  }

  @Test(arguments: [
    ("aarch64", "linux/aarch64", "linux/arm64"), ("macos", "macos/arm64", "darwin/arm64"),
    ("case", "Linux/AMD64", "linux/amd64"),
  ])
  func otherNamesOfPlatformsAreExplained(_ name: String, _ text: String, _ meant: String) {
    let refusal = ValueRefusal(
      expectation: "`all` or `os/architecture` such as `linux/amd64`",
      hint: "did you mean `\(meant)`?")
    #expect(throws: refusal, "\(name)") { try ValueKind<PlatformChoice>.platform.read(text) }
  }

  @Test func defaultsAreShownAsTheyAreWritten() throws {
    #expect(ValueKind.duration().text(.seconds(60)) == "60s")
    #expect(ValueKind.duration().text(.milliseconds(1500)) == "1.5s")
    #expect(ValueKind.integer(1...5).text(3) == "3")
    #expect(ValueKind<ColorChoice>.choice("WHEN").text(.auto) == "auto")
  }
}
