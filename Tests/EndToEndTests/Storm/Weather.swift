import TestSupport

/// What a storm does to a request.
enum Weather: CaseIterable, Sendable {
  case calm, cut, reset, stall, unavailable, change, redirect

  /// The weather for the nth request to a file (from 1). A third of all requests is hit by something, and each sixth one
  /// to a file by nothing, so that a file never needs more than the five retries that everybody gets. Those that
  /// continue a part are few, and the worst that can happen to them is that the file has changed.
  init(request number: Int, continues: Bool, _ generator: inout SeededGenerator) {
    guard generator.draw(3) == 0, number % 6 != 0 else {
      self = .calm
      return
    }
    let fault = Self.allCases[1 + generator.draw(Self.allCases.count - 1)]
    self = continues && generator.draw(2) == 0 ? .change : fault
  }
}

extension Response {
  /// The answer as the weather lets it come. `elsewhere` is where a redirect leads, and `never` stays closed.
  func through(
    _ weather: Weather, elsewhere: String, never: Gate, _ generator: inout SeededGenerator
  ) -> Response {
    let position = Int64(generator.draw(max(1, Int(body.count))))
    let comesBeforeHead = generator.draw(4) == 0
    switch weather {
    case .calm, .change: return self
    case .cut: return comesBeforeHead ? .closeBeforeHead : cut(after: position)
    case .reset: return comesBeforeHead ? .resetBeforeHead : reset(after: position)
    case .stall: return comesBeforeHead ? held(by: never) : held(after: position, by: never)
    case .unavailable:
      return Response(503, [Field("Retry-After", generator.draw(16) == 0 ? "1" : "0")])
    case .redirect: return .redirect([301, 302, 303, 307, 308][Int(position % 5)], to: elsewhere)
    }
  }
}
