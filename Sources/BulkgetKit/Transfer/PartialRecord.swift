/// What is kept beside a partial file so that it can be resumed safely (RFC 9110 §13.1.5, §14).
public struct PartialRecord: Hashable, Sendable, Codable {
  /// The ``ResourceURL/identity`` of the manifest URL that delivered the bytes.
  public var url: String
  /// The strong or weak entity tag of the response.
  public var entityTag: String?
  /// The `Last-Modified` of the response, as sent.
  public var lastModified: String?
  /// The `Date` of the response, as sent: it tells whether `lastModified` is a strong validator.
  public var date: String?
  /// The complete length in bytes, where the server said it.
  public var total: Int64?

  /// Makes a record of a response.
  public init(
    url: String, entityTag: String? = nil, lastModified: String? = nil, date: String? = nil,
    total: Int64? = nil
  ) {
    self.url = url
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.date = date
    self.total = total
  }
}
