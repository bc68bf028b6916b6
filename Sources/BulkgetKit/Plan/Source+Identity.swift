extension Source {
  /// The text by which a record names this source: the URL's ``ResourceURL/identity``, or the local path.
  package var identity: String {
    switch self {
    case .remote(let url): url.isItsOwnIdentity ? url.text : url.identity
    case .local(let path): path
    }
  }

  /// The source for people and files: a redacted URL, or the local path.
  package var redacted: String {
    switch self {
    case .remote(let url): url.isItsOwnIdentity ? url.text : url.redacted
    case .local(let path): path
    }
  }

  var isLocal: Bool {
    if case .local = self { true } else { false }
  }
}

extension ResourceURL {
  /// Without user information and query there is nothing to leave out. Most URLs are like that, and a plan of a
  /// hundred thousand entries shouldn't take them apart.
  fileprivate var isItsOwnIdentity: Bool {
    parts.userInfo.isEmpty && Int(parts.pathEnd) == text.utf8.count
  }
}
