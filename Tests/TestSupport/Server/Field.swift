/// One header field as it stands in a message.
package struct Field: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [Field] {
  /// The values of all fields of that name, in order; letter case doesn't count.
  package func values(of name: String) -> [String] {
    let name = name.lowercased()
    return filter { $0.name.lowercased() == name }.map(\.value)
  }
}
