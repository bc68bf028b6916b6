import BulkgetSystem
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func readsAllThreeForms(text: String) {
    #expect(HTTPDate.seconds(text) == 784_111_777)
  }

  @Test(arguments: [
    "", "abc", "-5", "1.5", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
  ])
  func refusesWhatIsNoDate(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
