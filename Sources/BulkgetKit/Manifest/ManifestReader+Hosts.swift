/// Reading `hosts` and header fields. No message here repeats a value.
extension ManifestReader {
  mutating func readHosts(_ pair: YAMLTree.Pair) {
    var seen: [String: Int] = [:]
    for host in mapping(pair, "hosts") ?? [] {
      let offset = tree.offset(of: host.key)
      let text = tree.text(of: host.key)
      guard let name = Self.hostName(text) else {
        report(
          "`\(PrintableText.shown(text))` is no host",
          hint: "write `host` or `host:port`, without scheme, path and wildcards", at: offset)
        continue
      }
      if let earlier = seen[name] {
        report("the host `\(name)` is already given", at: offset, earlier: earlier)
        continue
      }
      seen[name] = offset
      if let settings = hostSettings(host, name: text) { manifest.hosts[name] = settings }
    }
  }

  /// `host` or `host:port` as the keys of ``Manifest/hosts`` have it; nil where the text is neither.
  static func hostName(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy { byte in
      byte > 0x20 && !"/?#@%\\".utf8.contains(byte)
    }
    guard isPlain, !text.hasSuffix(":"),
      let url = try? ResourceURL("http://" + text + "/")
    else { return nil }
    // The scheme's own port goes without saying in a URL, but a key that names it means it.
    let namesPort = text.hasSuffix(":\(url.port)")
    return namesPort ? "\(url.host):\(url.port)" : url.authority
  }

  private mutating func hostSettings(_ pair: YAMLTree.Pair, name: String) -> HostSettings? {
    var settings = HostSettings()
    for field in mapping(pair, name) ?? [] {
      switch tree.text(of: field.key) {
      case "auth": readAuth(field, into: &settings)
      case "connections":
        settings.connections = integer(field, "connections", in: 1...1024).map(Int.init)
      case "allow-http":
        settings.allowsHTTP = boolean(field, "allow-http") ?? settings.allowsHTTP
      default: reportUnknown(field.key, among: ManifestKeys.host, in: "a host")
      }
    }
    return settings
  }

  private mutating func readAuth(_ pair: YAMLTree.Pair, into settings: inout HostSettings) {
    var bearer: String?
    var user: String?
    var password: String?
    var header: HeaderField?
    var kinds: Set<String> = []
    for field in mapping(pair, "auth") ?? [] {
      let key = tree.text(of: field.key)
      switch key {
      case "bearer": bearer = credential(field, key)
      case "user":
        user = credential(field, key)
        if user?.utf8.contains(UInt8(ascii: ":")) == true {
          report("a user's name can have no colon (RFC 7617)", at: field.valueOffset)
        }
      case "password": password = credential(field, key)
      case "header": header = authHeader(field)
      case "allow-http": settings.allowsHTTP = boolean(field, key) ?? settings.allowsHTTP
      default: reportUnknown(field.key, among: ManifestKeys.auth, in: "`auth`")
      }
      if key != "allow-http", ManifestKeys.auth.contains(key) {
        kinds.insert(key == "password" ? "user" : key)
      }
    }
    if kinds.count != 1 {
      return report(
        "`auth` is exactly one of `bearer`, `user` with `password`, and `header`",
        hint: "write `{bearer: T}`, `{user: U, password: P}` or `{header: {NAME: VALUE}}`",
        at: pair.valueOffset)
    }
    if kinds == ["user"], user == nil {
      report("`password` needs a `user`", at: pair.valueOffset)
    }
    // A credential that is empty, as of an unset variable with an empty default, is none.
    if let bearer, !bearer.isEmpty { settings.credential = .bearer(bearer) }
    if let user, !(user + (password ?? "")).isEmpty {
      settings.credential = .basic(user: user, password: password ?? "")
    }
    if let header, !header.value.isEmpty { settings.credential = .header(header) }
  }

  private mutating func credential(_ field: YAMLTree.Pair, _ name: String) -> String? {
    guard let value = text(field, name) else { return nil }
    if hasControlCharacter(value.text) {
      report("`\(name)` has a control character", at: field.valueOffset)
    }
    return value.text
  }

  private mutating func authHeader(_ field: YAMLTree.Pair) -> HeaderField? {
    let fields = headers(field)
    let isMapping = tree.nodes[field.value].kind == .mapping
    if (isMapping && tree.pairs(of: field.value).count != 1) || !tree.hasValue(field.value) {
      report(
        "`header` of `auth` is one field", hint: "write `{header: {NAME: VALUE}}`",
        at: field.valueOffset)
    }
    return fields.first
  }

  /// Header fields by name, no two names alike but for letter case.
  mutating func headers(_ pair: YAMLTree.Pair) -> [HeaderField] {
    var fields: [HeaderField] = []
    var seen: [String: Int] = [:]
    for field in mapping(pair, tree.text(of: pair.key)) ?? [] {
      let offset = tree.offset(of: field.key)
      let name = tree.text(of: field.key)
      if let earlier = seen.updateValue(offset, forKey: name.lowercased()) {
        report(
          "the header `\(PrintableText.shown(name))` is already given: letter case makes no difference",
          at: offset, earlier: earlier)
      }
      check(headerName: name, at: offset)
      guard let value = text(field, name) else { continue }
      if value.text.unicodeScalars.contains(where: {
        $0 != "\t" && hasControlCharacter(String($0))
      }) {
        report("the header's value has a control character", at: field.valueOffset)
      }
      fields.append(HeaderField(name: name, value: value.text))
    }
    return fields
  }

  private mutating func check(headerName name: String, at offset: Int) {
    if !HeaderField.isName(name) {
      report(
        "`\(PrintableText.shown(name))` is no name of a header field",
        hint: "a name has letters, digits and ``!#$%&'*+-.^_`|~`` (RFC 9110 §5.1)", at: offset)
    } else if HeaderField.reservedNames.contains(name.lowercased()) {
      report(
        "the header `\(name)` can't be set",
        hint: "bulkget sets it itself or depends on its absence",
        at: offset)
    }
  }
}

extension HeaderField {
  /// What bulkget sets itself, what would change the meaning of its requests, and what belongs to one connection
  /// (RFC 9110 §7.6.1).
  static let reservedNames: Set<String> = [
    "host", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "accept-encoding", "content-length", "transfer-encoding", "connection",
    "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "upgrade", "expect",
  ]

  /// Whether the text is a token (RFC 9110 §5.6.2).
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
