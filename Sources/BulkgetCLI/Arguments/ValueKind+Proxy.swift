import BulkgetKit

extension ValueKind<ProxyAddress> {
  /// A proxy. Its text may hold a password, which is why errors don't show it.
  static var proxy: Self {
    ValueKind(placeholder: "URL") { text throws(ValueRefusal) in
      guard let address = ProxyAddress(text) else {
        throw ValueRefusal(
          expectation:
            "a proxy such as `http://proxy.example.org:3128` or `socks5h://localhost:1080`",
          hidesText: true)
      }
      return address
    }
  }
}
