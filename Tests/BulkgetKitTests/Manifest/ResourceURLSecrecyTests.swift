import BulkgetKit
import Testing

@Suite struct ResourceURLSecrecyTests {
  @Test(arguments: [
    ("http://user:PASSW0RD@127.0.0.1:1/x", "http://REDACTED@127.0.0.1:1/x"),
    ("http://user@h/", "http://REDACTED@h/"),
    ("http://h/x?X-Amz-Signature=S&a=b", "http://h/x?X-Amz-Signature=REDACTED&a=b"),
    ("http://h/x?sig=S", "http://h/x?sig=REDACTED"),
    ("http://h/x?token=S&token=T", "http://h/x?token=REDACTED&token=REDACTED"),
    ("http://h/x?KEY=S", "http://h/x?KEY=REDACTED"),
    ("http://h/x?api_key=S", "http://h/x?api_key=REDACTED"),
    ("http://h/x?access-token=S", "http://h/x?access-token=REDACTED"),
    ("http://h/x?to%6ben=S", "http://h/x?to%6ben=REDACTED"),
    ("http://h/x?X-Goog-Credential=S", "http://h/x?X-Goog-Credential=REDACTED"),
    ("http://h/x?password=", "http://h/x?password=REDACTED"),
    ("http://h/x?monkey=b&design=c&assign=d", "http://h/x?monkey=b&design=c&assign=d"),
    ("http://h/x?a=b=c&d&&e=", "http://h/x?a=b=c&d&&e="),
    ("http://h/x?", "http://h/x?"), ("http://h/x", "http://h/x"),
    ("http://h/token=S", "http://h/token=S"),
  ])
  func B049_userInformationAndSecretLookingValuesAreRedacted(text: String, redacted: String) throws
  {
    #expect(try ResourceURL(text).redacted == redacted)
  }

  @Test(arguments: [
    ("http://u:p@h/x?a=1", "http://h/x?a=1"), ("http://h/x?a=1&token=S&b=2", "http://h/x?a=1&b=2"),
    ("http://h/x?token=S", "http://h/x"), ("http://h/x?sig=S&se=2026&sp=r&a=1", "http://h/x?a=1"),
    ("http://h/x?Expires=1&Signature=S&Key-Pair-Id=K", "http://h/x"),
    ("http://h/x?expires=1", "http://h/x?expires=1"),
    ("http://h/x?X-Amz-Date=1&X-Amz-Signature=S&X-Amz-Expires=5&v=3", "http://h/x?v=3"),
    ("http://h/x?", "http://h/x?"),
    ("http://h:8080/x#f", "http://h:8080/x"),
  ])
  func theIdentityIsWhatStaysTheSameInAFreshlySignedURL(text: String, identity: String) throws {
    #expect(try ResourceURL(text).identity == identity)
  }

  /// A URL with every `SECRET` of the text taken from the environment.
  private func url(_ text: String) throws -> ResourceURL {
    let bytes = Array(text.utf8)
    let word = Array("SECRET".utf8)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: word) }
    return try ResourceURL(text, secrets: starts.map { $0..<$0 + word.count })
  }

  @Test(arguments: [
    ("http://h/x?a=SECRET", "http://h/x?a=REDACTED", "http://h/x?a="),
    ("http://h/x?a=vSECRETw&b=1", "http://h/x?a=REDACTED&b=1", "http://h/x?a=&b=1"),
    ("http://h/x?SECRET=1", "http://h/x?REDACTED=REDACTED", "http://h/x?REDACTED="),
    ("http://h/ü x?a=SECRET", "http://h/%C3%BC%20x?a=REDACTED", "http://h/%C3%BC%20x?a="),
    ("http://h/x?ü=[&a=SECRET#f", "http://h/x?%C3%BC=%5B&a=REDACTED", "http://h/x?%C3%BC=%5B&a="),
    ("http://SECRET:SECRET@h/x", "http://REDACTED@h/x", "http://h/x"),
    (
      "http://SECRET/x", "http://SECRET/x".lowercased().replacing("/x", with: "/x"),
      "http://secret/x"
    ), ("http://h/SECRET", "http://h/SECRET", "http://h/SECRET"),
    ("http://h/x?a=1&SECRET", "http://h/x?a=1&REDACTED=REDACTED", "http://h/x?a=1&REDACTED="),
    ("HTTP://H:80/x?a=SECRET", "http://h/x?a=REDACTED", "http://h/x?a="),
  ])
  func valuesFromTheEnvironmentAreHiddenInUserInformationAndQuery(
    text: String, redacted: String, identity: String
  ) throws {
    let url = try url(text)
    #expect(url.redacted == redacted)
    #expect(url.identity == identity)
  }

  @Test func oneValueMayCoverSeveralParameters() throws {
    let text = "http://h/x?a=1&b=2&c=3"
    let url = try ResourceURL(text, secrets: [13..<18])
    #expect(url.redacted == "http://h/x?a=REDACTED&REDACTED=REDACTED&c=3")
    #expect(url.text == text)
  }

  @Test func aValueWithADelimiterHidesWhatItSpans() throws {
    // The value `S?T` from the environment ends the path and begins the query.
    let url = try ResourceURL("http://h/aS?Tb=1", secrets: [10..<13])
    #expect(!url.redacted.contains("Tb"))
    #expect(url.text == "http://h/aS?Tb=1")
  }

  @Test func aWholeURLFromTheEnvironmentIsHiddenInItsQuery() throws {
    let text = "https://u:p@h/x?a=b&c"
    let url = try ResourceURL(text, secrets: [0..<text.utf8.count])
    #expect(url.redacted == "https://REDACTED@h/x?REDACTED=REDACTED&REDACTED=REDACTED")
  }

  @Test func secretsMakeNoDifferenceToTheTextThatIsSent() throws {
    let text = "http://h/ x?a=[SECRET]&b"
    #expect(try url(text).text == ResourceURL(text).text)
  }
}
