import BulkgetKit
import Testing

@Suite struct ResourceURLResolutionTests {
  @Test(arguments: [
    ("https://other.example/x", "https://other.example/x"),
    ("//other.example:8080/e.bin", "http://other.example:8080/e.bin"),
    ("/root", "http://h/root"), ("g", "http://h/b/c/g"), ("./g", "http://h/b/c/g"),
    ("g/", "http://h/b/c/g/"),
    ("?y", "http://h/b/c/d;p?y"), ("", "http://h/b/c/d;p?q"), ("#s", "http://h/b/c/d;p?q"),
    ("g?y#s", "http://h/b/c/g?y"),
    (";x", "http://h/b/c/;x"), (".", "http://h/b/c/"), ("..", "http://h/b/"),
    ("../..", "http://h/"), ("../../g", "http://h/g"),
    ("../../../g", "http://h/g"), ("/./g", "http://h/g"), ("/../g", "http://h/g"),
    ("g.", "http://h/b/c/g."), ("..g", "http://h/b/c/..g"),
    ("./../g", "http://h/b/g"), ("./g/.", "http://h/b/c/g/"), ("g/../h", "http://h/b/c/h"),
    ("g?y/../x", "http://h/b/c/g?y/../x"),
    ("/dl/My Kit/x y.zip", "http://h/dl/My%20Kit/x%20y.zip"),
    ("/dl/données.bin", "http://h/dl/donn%C3%A9es.bin"), ("?v=2", "http://h/b/c/d;p?v=2"),
    ("/a%2Fb%20c", "http://h/a%2Fb%20c"),
  ])
  func B046_referencesResolveAsRFC3986Says(reference: String, expected: String) throws {
    let base = try ResourceURL("http://h/b/c/d;p?q")
    #expect(try base.resolving(reference).text == expected)
  }

  @Test func userInformationStaysWithItsOrigin() throws {
    let base = try ResourceURL("http://u:p@h:81/a")
    #expect(try base.resolving("/b").text == "http://u:p@h:81/b")
    #expect(try base.resolving("?b").text == "http://u:p@h:81/a?b")
    #expect(try base.resolving("//h:81/b").userInfo == nil)
    #expect(try base.resolving("http://other/b").userInfo == nil)
  }

  @Test func aNetworkPathKeepsTheScheme() throws {
    #expect(try ResourceURL("https://h/").resolving("//i/x").text == "https://i/x")
  }

  @Test(
    arguments: [
      ("ftp://h/x", .unsupportedScheme("ftp")), ("file:///etc/passwd", .unsupportedScheme("file")),
      ("data:,x", .unsupportedScheme("data")),
      ("http://", .invalidHost("")), ("//a b/", .invalidHost("a b")), ("/a\nb", .controlCharacter),
      ("http://h:x/", .invalidPort("x")),
    ] as [(String, ResourceURL.Refusal)])
  func B044_whatIsNoURLOfTheWebIsRefused(reference: String, refusal: ResourceURL.Refusal) throws {
    let base = try ResourceURL("https://h/a")
    #expect(throws: refusal) { try base.resolving(reference) }
  }

  @Test func dotSegmentsOfTheBaseStayForAnEmptyReference() throws {
    #expect(try ResourceURL("http://h/a/../b?q").resolving("?r").text == "http://h/a/../b?r")
  }
}
