import BulkgetKit

/// What `--platform` says: one platform, or all of them.
enum PlatformChoice: Hashable, Sendable {
  case all
  case one(Platform)
}

extension ValueKind<PlatformChoice> {
  /// `all`, or `os/architecture` in OCI's words.
  static var platform: Self {
    ValueKind(placeholder: "P") { text throws(ValueRefusal) in
      if text == "all" { return .all }
      let known = inWordsOfOCI(text)
      guard let platform = Platform(text), known == text else {
        throw ValueRefusal(
          expectation: "`all` or `os/architecture` such as `linux/amd64`",
          hint: Platform(known) == nil ? nil : "did you mean `\(known)`?")
      }
      return .one(platform)
    }
  }

  /// The text with the words of `uname` and of other tools replaced by those of OCI.
  private static func inWordsOfOCI(_ text: String) -> String {
    let words = ["x86_64": "amd64", "x64": "amd64", "aarch64": "arm64", "macos": "darwin"]
    return text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
      .map { words[String($0)] ?? String($0) }.joined(separator: "/")
  }
}
