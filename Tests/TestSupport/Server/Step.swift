/// What a server does when one of its paths is asked for.
package struct Step: Sendable {
  let answer: @Sendable (Request) -> Response

  /// Computes the answer.
  package static func compute(_ answer: @escaping @Sendable (Request) -> Response) -> Self {
    Self(answer: answer)
  }

  /// Always the same answer.
  package static func respond(_ response: Response) -> Self { Self { _ in response } }

  /// A file as a correct server offers it, its answers changed by `change`, as in
  /// `.file(resource) { $0.cut(after: 4_000_000) }`.
  package static func file(
    _ resource: Resource, _ change: @escaping @Sendable (Response) -> Response = { $0 }
  ) -> Self {
    Self { change(resource.response(to: $0)) }
  }
}
