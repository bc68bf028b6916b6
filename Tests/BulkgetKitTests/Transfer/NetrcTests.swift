import Testing

@testable import BulkgetKit

/// Which credentials a `.netrc` file has for a host.
struct NetrcTests {
  @Test(arguments: [
    ("machine h login u password p", "h", "u:p"),
    ("machine h\n  login u\n\tpassword p\n", "h", "u:p"),
    ("machine h password p login u", "h", "u:p"),
    ("machine other login a password b\nmachine h login u password p", "h", "u:p"),
    ("machine h login u password p machine h login v password q", "h", "u:p"),
    ("machine HOST.example login u password p", "host.example", "u:p"),
    ("machine ::1 login u password p", "[::1]", "u:p"),
    ("machine [::1] login u password p", "[::1]", "u:p"),
    ("machine x login a password b default login u password p", "h", "u:p"),
    ("default login u password p machine h login v password q", "h", "v:q"),
    ("machine h account company login u password p", "h", "u:p"),
    ("machine h login u password \"a b\\\"c\\\\d\"", "h", "u:a b\"c\\d"),
    ("machine h login u password p#1", "h", "u:p#1"),
    ("# machine h login a password b\nmachine h login u password p", "h", "u:p"),
    (
      "machine x login a password b\n  # machine h login c password d\nmachine h login u password p",
      "h", "u:p"
    ),
    ("macdef init\nmachine h login a password b\n\nmachine h login u password p", "h", "u:p"),
    ("machine h port 80 login u password p", "h", "u:p"), ("machine h login u", "h", "u:"),
  ])
  func aMachinesCredentialsAreFound(text: String, host: String, expected: String) {
    let found = Netrc(text).credential(for: host)
    #expect(found.map { "\($0.user):\($0.password)" } == expected)
  }

  @Test(arguments: [
    "", "machine", "login u password p", "machine h.example login u password p",
    "machine other login u password p", "macdef init\nmachine h login u password p",
    "machine xh login u password p", "\"",
  ])
  func anotherMachinesAreNot(text: String) {
    #expect(Netrc(text).credential(for: "h") == nil)
  }
}
