import BulkgetKit
import Testing

@Suite struct ResourceURLTests {
  @Test(arguments: [
    "/a%2Fb", "/a%2Bb+c", "/a%20b", "/100%25", "/%e4%bd%a0", "/a;b=c", "/a/./b/../c", "/", "/..",
    "//a//b",
    "/a@b:c", "/!$&'()*+,;=", "/a?", "/a?b?c/d", "/a?x=%2f&y=%2F", "/~user/-._", "/a?b=c:@/?",
  ])
  func B065_whatIsLegalIsSentAsWritten(target: String) throws {
    let url = try ResourceURL("http://example.org" + target)
    #expect(url.text == "http://example.org" + target)
    #expect(url.path + (url.query.map { "?" + $0 } ?? "") == target)
  }

  @Test(arguments: [
    ("/?s=a%2Bb%3D&n=[x", "/?s=a%2Bb%3D&n=%5Bx"), ("/?q=%5Bx%5D&r=[y", "/?q=%5Bx%5D&r=%5By"),
    ("/dl/My Kit/x y.zip", "/dl/My%20Kit/x%20y.zip"), ("/données.bin", "/donn%C3%A9es.bin"),
    ("/a%b", "/a%25b"), ("/100%", "/100%25"), ("/%zz", "/%25zz"),
    ("/a\"<>\\^`{|}", "/a%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ("/a?b=ü|", "/a?b=%C3%BC%7C"), ("/a#fragment", "/a"), ("/a?b#c?d", "/a?b"), ("?q=1", "/?q=1"),
    ("#x", "/"),
    ("", "/"), ("/日本", "/%E6%97%A5%E6%9C%AC"),
  ])
  func B065_onlyWhatIsNotLegalIsEncoded(target: String, sent: String) throws {
    #expect(try ResourceURL("https://example.org" + target).text == "https://example.org" + sent)
  }

  @Test func nothingIsEncodedTwice() throws {
    let once = try ResourceURL("https://example.org/a b%/ü?[")
    #expect(try ResourceURL(once.text) == once)
  }

  @Test func partsAreFoundAgain() throws {
    let url = try ResourceURL("https://us%65r:p%40ss@Example.ORG:8443/a/b.c?d=e&f#g")
    #expect(url.scheme == .https)
    #expect(url.host == "example.org")
    #expect(url.port == 8443)
    #expect(url.path == "/a/b.c")
    #expect(url.query == "d=e&f")
    #expect(url.userInfo?.user == "user")
    #expect(url.userInfo?.password == "p@ss")
    #expect(url.withoutUserInfo == "https://example.org:8443/a/b.c?d=e&f")
    #expect(url.text == "https://us%65r:p%40ss@example.org:8443/a/b.c?d=e&f")
    #expect(url.lastPathComponent == "b.c")
    #expect(url.origin.description == "https://example.org:8443")
  }

  @Test func aURLWithoutPartsHasNone() throws {
    let url = try ResourceURL("http://example.org")
    #expect(url.port == 80)
    #expect(url.path == "/")
    #expect(url.query == nil)
    #expect(url.userInfo == nil)
    #expect(url.withoutUserInfo == url.text)
    #expect(url.lastPathComponent == "")
  }

  @Test(arguments: [
    ("http://u@h/", "u", ""), ("http://u:@h/", "u", ""), ("http://:p@h/", "", "p"),
    ("http://a:b:c@h/", "a", "b:c"),
    ("http://a@b@h/", "a@b", ""), ("http://ü:é@h/", "ü", "é"),
  ])
  func userInformationIsSplitAtTheFirstColon(text: String, user: String, password: String) throws {
    let url = try ResourceURL(text)
    #expect(url.userInfo?.user == user)
    #expect(url.userInfo?.password == password)
    #expect(url.host == "h")
  }

  @Test func emptyUserInformationIsNone() throws {
    let url = try ResourceURL("http://@h/")
    #expect(url.userInfo == nil)
    #expect(url.text == "http://h/")
  }

  @Test(arguments: [
    ("http://h:80/", "http://h/"), ("https://h:443/", "https://h/"),
    ("http://h:443/", "http://h:443/"),
    ("http://h:/", "http://h/"), ("http://h:00081/", "http://h:81/"),
    ("http://h:0/", "http://h:0/"),
  ])
  func thePortThatGoesWithoutSayingIsLeftOut(text: String, sent: String) throws {
    #expect(try ResourceURL(text).text == sent)
  }

  @Test(arguments: [
    ("xn--bcher-kva.localhost", "xn--bcher-kva.localhost"),
    ("bücher.localhost", "xn--bcher-kva.localhost"),
    ("BÜCHER.localhost", "xn--bcher-kva.localhost"), ("EXAMPLE.org", "example.org"),
    ("example.org.", "example.org."),
    ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"), ("[2001:DB8::A]", "[2001:db8::a]"),
    ("a_b.example", "a_b.example"),
    ("[fe80::1%25eth0]", "[fe80::1%25eth0]"), ("日本語.example", "xn--wgv71a119e.example"),
  ])
  func B067_hostsHaveOneForm(host: String, sent: String) throws {
    let url = try ResourceURL("http://\(host):8080/x")
    #expect(url.host == sent)
    #expect(url.text == "http://\(sent):8080/x")
    #expect(url.port == 8080)
  }

  @Test(
    arguments: [
      ("", .relative), ("/a", .relative), ("a/b", .relative), ("//h/a", .relative),
      ("1a:b", .relative),
      ("ftp://h/", .unsupportedScheme("ftp")), ("FILE:///x", .unsupportedScheme("file")),
      ("data:,x", .unsupportedScheme("data")), ("http:", .invalidHost("")),
      ("http:/h", .invalidHost("")),
      ("http://", .invalidHost("")), ("http:///a", .invalidHost("")),
      ("http://:80/", .invalidHost("")),
      ("http://u@/", .invalidHost("")), ("http://a b/", .invalidHost("a b")),
      ("http://a%41/", .invalidHost("a%41")),
      ("http://./", .invalidHost(".")), ("http://[::1/", .invalidHost("[:")),
      ("http://[x]/", .invalidHost("[x]")),
      ("http://[127.0.0.1]/", .invalidHost("[127.0.0.1]")), ("http://h:x/", .invalidPort("x")),
      ("http://h:65536/", .invalidPort("65536")), ("http://h:-1/", .invalidPort("-1")),
      ("http://h:+1/", .invalidPort("+1")),
      ("http://a\u{FFFD}b/", .notInternationalHost("a\u{FFFD}b")),
      ("http://h/\n", .controlCharacter), ("http://h/\0", .controlCharacter),
      ("http://h/\u{7F}", .controlCharacter),
      ("\thttp://h/", .controlCharacter),
    ] as [(String, ResourceURL.Refusal)])
  func otherTextsAreNoURLs(text: String, refusal: ResourceURL.Refusal) {
    #expect(throws: refusal) { try ResourceURL(text) }
  }

  @Test(arguments: [
    ("http://127.0.0.1/", true), ("http://127.255.0.9/", true), ("http://localhost/", true),
    ("http://a.localhost:1/", true), ("http://LOCALHOST/", true), ("http://[::1]/", true),
    ("http://[0:0:0:0:0:0:0:1]/", true), ("http://[::0001]/", true), ("http://localhost./", true),
    ("http://[::ffff:127.0.0.1]/", true),
    ("http://128.0.0.1/", false), ("http://127.0.0.1.example/", false), ("http://127.0.0/", false),
    ("http://localhost.example/", false), ("http://mylocalhost/", false), ("http://[::2]/", false),
    ("http://127.0.0.256/", false), ("http://127.0.0.0x1/", false),
    ("http://[::ffff:128.0.0.1]/", false),
    ("http://[::7f00:1]/", false),
  ])
  func onlyThisMachineIsLoopback(text: String, isLoopback: Bool) throws {
    #expect(try ResourceURL(text).origin.isLoopback == isLoopback)
  }

  @Test func originsDifferBySchemeHostAndPort() throws {
    let origin = try ResourceURL("https://h/a").origin
    #expect(try ResourceURL("https://H:443/b?c").origin == origin)
    for text in ["http://h/a", "https://i/a", "https://h:444/a", "http://h:443/"] {
      #expect(try ResourceURL(text).origin != origin)
    }
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%41", "A"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("100%", "100%"),
    ("%2f%2F", "//"),
    ("+", "+"), ("%FF", "\u{FFFD}"), ("%C3%A9", "é"), ("", ""),
  ])
  func escapesAreDecodedOnce(text: String, decoded: String) {
    #expect(percentDecoded(text) == decoded)
  }
}
