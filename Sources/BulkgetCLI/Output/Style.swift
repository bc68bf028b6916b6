/// How a piece of text looks in a terminal that shows colours.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case blue = "34"
  case cyan = "36"
  case boldRed = "1;31"
  case boldYellow = "1;33"
}

/// Paints text, or leaves it alone where nobody wants colours.
struct Palette: Sendable {
  let isColored: Bool

  /// `text` in `style`.
  func paint(_ text: String, _ style: Style?) -> String {
    guard isColored, let style else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}

extension ColorChoice {
  /// Whether to use colours. An explicit `always` is obeyed everywhere; see no-color.org for `NO_COLOR`.
  func isColored(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }
}
