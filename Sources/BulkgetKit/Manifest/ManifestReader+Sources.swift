import BulkgetSystem

/// Reading where bytes come from, and where they go.
extension ManifestReader {
  /// The longest URL or path, in bytes.
  static let maximumURLByteCount = 64 * 1024

  /// A URL or a path.
  mutating func source(_ field: YAMLTree.Pair, _ name: String) -> Source? {
    guard let value = text(field, name) else { return nil }
    let offset = field.valueOffset
    if value.bytes.isEmpty {
      report("`\(name)` is empty", at: offset)
      return nil
    }
    if value.bytes.count > Self.maximumURLByteCount {
      report("the URL is longer than the limit of \(Self.maximumURLByteCount) bytes", at: offset)
      return nil
    }
    do throws(ResourceURL.Refusal) {
      return .remote(try ResourceURL(bytes: Array(value.bytes), secrets: value.secrets))
    } catch {
      return otherSource(value, refusal: error, at: offset)
    }
  }

  private mutating func otherSource(
    _ value: ExpandedText, refusal: ResourceURL.Refusal, at offset: Int
  ) -> Source? {
    switch refusal {
    case .relative where hasControlCharacter(in: value.bytes):
      report("the URL or path has a control character", at: offset)
    case .relative: return localPath(value.text, at: offset)
    case .unsupportedScheme("file"): return filePath(value.text, at: offset)
    case .unsupportedScheme(let scheme):
      let shown = value.secrets.isEmpty ? " `\(PrintableText.shown(scheme))`" : ""
      report(
        "the scheme\(shown) is not supported",
        hint: "use `https`, `http` or `file`; write `./` before a path that has a colon", at: offset
      )
    case .invalidHost(let host), .notInternationalHost(let host):
      // What came from the environment is not repeated.
      let shown = value.secrets.isEmpty && !host.isEmpty ? " `\(PrintableText.shown(host))`" : ""
      report(
        "the URL's host\(shown) is no name and no address",
        hint: host.isEmpty ? "write `https://host/path`" : nil, at: offset)
    case .invalidPort:
      report("the URL's port is no number from 0 to 65535", at: offset)
    case .controlCharacter:
      report("the URL or path has a control character", at: offset)
    }
    return nil
  }

  /// A plain path is taken literally, relative to the manifest.
  private mutating func localPath(_ path: String, at offset: Int) -> Source? {
    if path.utf8.last == UInt8(ascii: "/") {
      report("the path names a directory, not a file", at: offset)
      return nil
    }
    if path.utf8.first == UInt8(ascii: "/") { return .local(path: path) }
    let directory = input.directory
    let isRoot = directory.utf8.last == UInt8(ascii: "/")
    return .local(path: isRoot ? directory + path : directory + "/" + path)
  }

  /// The path of a `file:` URL (RFC 8089), percent-decoded.
  private mutating func filePath(_ url: String, at offset: Int) -> Source? {
    var rest = Array(url.utf8.dropFirst("file:".utf8.count))[...]
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      let host = String(decoding: rest[..<slash], as: UTF8.self).lowercased()
      guard host.isEmpty || host == "localhost" else {
        report(
          "a `file:` URL can name no other machine",
          hint: "write `file:///path`, or a plain path for one relative to the manifest", at: offset
        )
        return nil
      }
      rest = rest[slash...]
    }
    guard rest.first == UInt8(ascii: "/") else {
      report(
        "a `file:` URL needs an absolute path",
        hint: "write `file:///path`, or a plain path for one relative to the manifest", at: offset)
      return nil
    }
    if rest.contains(UInt8(ascii: "?")) || rest.contains(UInt8(ascii: "#")) {
      report(
        "a `file:` URL has no query and no fragment", hint: "write `%3F` for `?` and `%23` for `#`",
        at: offset)
      return nil
    }
    guard let path = String(validating: percentDecodedBytes(Array(rest)), as: UTF8.self),
      !hasControlCharacter(path)
    else {
      report("the `file:` URL's path is no UTF-8 text or has a control character", at: offset)
      return nil
    }
    return localPath(path, at: offset)
  }

  /// The path below the output directory; a trailing slash takes the URL's last part.
  mutating func destination(
    _ text: String, of source: Source?, at offset: Int
  ) -> DestinationPath? {
    var path = text
    // Without a usable source the name is not known; what is wrong with the directory is said all the same.
    if text.utf8.last == UInt8(ascii: "/"), let source {
      let name = source.lastPathComponent
      guard Self.isFileName(name) else {
        report(
          "the URL's last part is no file name that `dest` could take",
          hint: "write the file's name behind the slash", at: offset)
        return nil
      }
      path += name
    }
    do throws(DestinationPath.Refusal) {
      return try DestinationPath(path)
    } catch {
      report(error.message, hint: error.hint, at: offset)
      return nil
    }
  }

  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
      && !name.unicodeScalars.contains("\u{FFFD}")
  }
}

extension Source {
  /// The last part of the path, percent-decoded for a URL.
  var lastPathComponent: String {
    switch self {
    case .remote(let url): return url.lastPathComponent
    case .local(let path):
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      return String(path[(slash.map { path.utf8.index(after: $0) } ?? path.startIndex)...])
    }
  }
}

extension DestinationPath.Refusal {
  /// What is wrong, as a manifest's problem says it.
  var message: String {
    switch self {
    case .empty: "`dest` names no file"
    case .absolute: "`dest` must be a relative path"
    case .leavesDirectory: "`dest` must not leave the output directory: it has a `..`"
    case .controlCharacter: "`dest` has a control character"
    case .componentTooLong(let count):
      "a name in `dest` has \(count) bytes, more than the limit of \(DestinationPath.maximumComponentByteCount)"
    case .tooLong(let count):
      "`dest` has \(count) bytes, more than the limit of \(DestinationPath.maximumByteCount)"
    }
  }

  /// What to do.
  var hint: String? {
    switch self {
    case .empty: "leave the key out if the file is only to be cached"
    case .absolute, .leavesDirectory: "the directory that it is below is chosen by `--out`"
    default: nil
    }
  }
}
