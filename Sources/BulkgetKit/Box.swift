/// A value kept outside its owner, so that a hundred thousand owners are copied cheaply and have no room for what few of them
/// have.
final class Box<Content: Sendable>: Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}

extension Box: Equatable where Content: Equatable {
  static func == (left: Box, right: Box) -> Bool { left.content == right.content }
}

extension Box: Hashable where Content: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
