import Testing

@testable import BulkgetKit

@Suite struct LineIndexTests {
  private func places(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    let index = LineIndex(bytes)
    return (0...bytes.count).map { offset in
      let place = index.place(of: offset)
      return "\(place.line):\(place.column)"
    }
  }

  @Test func everyLineEndCountsOnce() {
    #expect(places("a\nb") == ["1:1", "1:2", "2:1", "2:2"])
    #expect(places("a\r\nb") == ["1:1", "1:2", "1:3", "2:1", "2:2"])
    #expect(places("a\rb") == ["1:1", "1:2", "2:1", "2:2"])
    #expect(places("\n\r\n\r") == ["1:1", "2:1", "2:2", "3:1", "4:1"])
    #expect(places("") == ["1:1"])
  }

  @Test func columnsCountCharactersAndNoByteOrderMark() {
    #expect(places("é日") == ["1:1", "1:2", "1:2", "1:3", "1:3", "1:3"])
    #expect(LineIndex(Array("\u{FEFF}ab".utf8)).place(of: 4).column == 2)
  }

  @Test func placesLeadBackToTheirBytes() {
    let text = "\u{FEFF}aé日\r\n😀b\n\nc"
    let index = LineIndex(Array(text.utf8))
    for (offset, byte) in text.utf8.enumerated().dropFirst(3)
    where byte & 0xC0 != 0x80 && byte != 0x0A {
      #expect(index.offset(of: index.place(of: offset)) == offset)
    }
    #expect(index.offset(of: (0, 1)) == nil && index.offset(of: (5, 1)) == nil)
    // Beyond the line's end there is its end.
    #expect(index.offset(of: (2, 9)) == index.lineRange(of: text.utf8.count - 5).upperBound)
  }

  @Test func aLineIsGivenWithoutItsBreak() {
    let bytes = Array("ab\r\ncd\n\nef".utf8)
    let index = LineIndex(bytes)
    #expect(
      [0, 2, 4, 7, 8, 10].map(index.lineRange) == [0..<2, 0..<2, 4..<6, 7..<7, 8..<10, 8..<10])
  }
}

extension LineIndexTests {
  @Test func columnsAreRightFarIntoALongLine() {
    let line = String(repeating: "aé日😀", count: 1000)
    let bytes = Array((line + "\n" + line).utf8)
    let index = LineIndex(bytes)
    for (number, offset) in stride(from: 0, to: 10_000, by: 10).enumerated() {
      #expect(index.place(of: offset).column == number * 4 + 1)
      #expect(index.place(of: 10_001 + offset).column == number * 4 + 1)
      #expect(index.place(of: 10_001 + offset).line == 2)
    }
  }
}
