/// What names a file in a cache: its id, unique inside its namespace.
public struct FileKey: Hashable, Sendable {
  /// `default` unless the manifest names another; `[a-z0-9][a-z0-9._-]{0,63}`.
  public let namespace: String
  /// The id as the manifest's text has it.
  public let id: String

  /// Names a file.
  public init(namespace: String, id: String) {
    self.namespace = namespace
    self.id = id
  }

  /// The id alone spreads well enough: few runs have a second namespace.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }

  /// Compares byte for byte: an id in another Unicode form is another id.
  public static func == (left: Self, right: Self) -> Bool {
    isSameText(left.id, right.id) && isSameText(left.namespace, right.namespace)
  }
}

/// One file that a manifest wants.
public struct Entry: Hashable, Sendable {
  /// The namespace and the id.
  public var key: FileKey
  /// Where the bytes can be had: the first is asked first, the others are mirrors. Never empty.
  public var sources: [Source]
  /// The type, used as the cached file's extension; nil for none.
  public var type: FileType?
  /// What the content must hash to: all of them must match.
  public var digests: [Digest] = []
  /// The exact size in bytes.
  public var size: Int64?
  /// Where the file is placed below the output directory; nil when it is cached only.
  public var destination: DestinationPath?
  /// Whether the placed file gets its execute bits.
  public var isExecutable = false
  /// Whether the run succeeds without this file.
  public var isOptional = false
  /// When the server is asked whether the cached file is still right.
  public var freshness = Freshness.immutable
  /// Header fields sent only to the origins of this entry's own URLs.
  public var headers: [HeaderField] = []
  /// Words to choose entries by.
  public var tags: [String] = []
  /// The platforms this entry is for; empty for all.
  public var platforms: [Platform] = []
  /// Higher starts earlier.
  public var priority = 0
  /// What of it comes from the lock file.
  public var locked: LockedParts = []
  /// Where the entry stands in its manifest.
  public var position = SourcePosition()

  /// Makes an entry with the default of everything that is optional.
  public init(key: FileKey, sources: [Source], type: FileType? = nil) {
    self.key = key
    self.sources = sources
    self.type = type
  }
}

/// Where the bytes of a file come from.
public enum Source: Hashable, Sendable {
  /// An `http` or `https` URL.
  case remote(ResourceURL)
  /// An absolute path of this machine, from a plain path or a `file:` URL.
  case local(path: String)

  /// Compares paths byte for byte, as file systems do.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.remote(let left), .remote(let right)): left == right
    case (.local(let left), .local(let right)): isSameText(left, right)
    case (.remote, .local), (.local, .remote): false
    }
  }
}

/// A type as an extension of a file's name: lower case, `[a-z0-9][a-z0-9.+_-]{0,31}`.
public struct FileType: Hashable, Sendable, CustomStringConvertible {
  /// The text without a leading dot.
  public let description: String

  /// Lower-cases `text` and drops a leading dot; nil where what remains is no type.
  public init?(_ text: String) {
    var characters = Array(text.utf8)
    if characters.first == UInt8(ascii: ".") { characters.removeFirst() }
    for (index, character) in characters.enumerated() {
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): characters[index] = character | 0x20
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        if index == 0 { return nil }
      default: return nil
      }
    }
    guard (1...32).contains(characters.count) else { return nil }
    description = String(decoding: characters, as: UTF8.self)
  }
}

/// When a cached file has to be checked with its server.
public enum Freshness: Hashable, Sendable {
  /// Never: the same id and URL mean the same file.
  case immutable
  /// On each run, with a conditional request (RFC 9110 §13).
  case revalidate
  /// When it was fetched or checked longer ago than this.
  case maximumAge(Duration)
}

/// A header field of a request (RFC 9110 §5).
public struct HeaderField: Hashable, Sendable {
  /// The field's name as written.
  public let name: String
  /// The field's value; never printed.
  public let value: String

  /// Makes a field. The manifest has checked that neither has control characters.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// An operating system and an architecture in OCI's words, as in `linux/amd64`.
public struct Platform: Hashable, Sendable, CustomStringConvertible {
  /// `linux`, `darwin`, …
  public let system: String
  /// `amd64`, `arm64`, …
  public let architecture: String

  /// Reads `os/architecture`, each `[a-z0-9._-]+` in lower case; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isWord = { (part: Substring) in
      !part.isEmpty
        && part.utf8.allSatisfy {
          switch $0 {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
          case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
          default: false
          }
        }
    }
    guard parts.count == 2, parts.allSatisfy(isWord) else { return nil }
    system = String(parts[0])
    architecture = String(parts[1])
  }

  /// The platform this program was built for.
  public static var current: Platform? {
    #if os(macOS)
      let system = "darwin"
    #else
      let system = "linux"
    #endif
    #if arch(arm64)
      let architecture = "arm64"
    #else
      let architecture = "amd64"
    #endif
    return Platform("\(system)/\(architecture)")
  }

  /// `os/architecture`.
  public var description: String { "\(system)/\(architecture)" }
}

/// A place in a manifest.
public struct SourcePosition: Hashable, Sendable {
  /// Which of the run's manifests, from 0.
  public var manifest = 0
  /// The line, from 1.
  public var line = 0
  /// The column in characters, from 1.
  public var column = 0

  /// The place of nothing: an entry made in code.
  public init() {}

  /// Makes a place.
  public init(manifest: Int, line: Int, column: Int) {
    self.manifest = manifest
    self.line = line
    self.column = column
  }
}
