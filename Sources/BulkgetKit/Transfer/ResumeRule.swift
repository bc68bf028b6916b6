import BulkgetSystem

/// Where a download goes on, and how the server is told which bytes are meant.
package struct ResumePoint: Hashable, Sendable {
  /// The first byte that is asked for; everything before it is kept.
  package let offset: Int64
  /// The value of `If-Range`; nil where only a digest of the manifest can prove the result.
  package let validator: String?
}

/// Decides whether the bytes of an interrupted download may be continued (RFC 9110 §13.1.5, §14).
package enum ResumeRule {
  /// Fewer kept bytes than this are not worth the risk of a range request.
  package static let minimumByteCount: Int64 = 1 << 20

  /// Where a download of `entry` from `source` goes on from `partial`; nil where it has to start over.
  ///
  /// Bytes are continued where the manifest's digest will prove the whole, or where the same URL delivered them with a
  /// strong validator and a total length.
  package static func point(
    of partial: CacheSnapshot.Partial, for entry: Entry, from source: Source
  ) -> ResumePoint? {
    guard !source.isLocal, partial.byteCount >= minimumByteCount else { return nil }
    let record = partial.record?.url == source.identity ? partial.record : nil
    if let size = entry.size {
      guard partial.byteCount <= size, (record?.total ?? size) == size else { return nil }
    }
    if let total = record?.total, partial.byteCount > total { return nil }
    let validator = record?.strongValidator
    if !entry.digests.isEmpty {
      return ResumePoint(offset: partial.byteCount, validator: validator)
    }
    guard let validator, let total = record?.total, partial.byteCount < total else { return nil }
    return ResumePoint(offset: partial.byteCount, validator: validator)
  }
}

extension PartialRecord {
  /// How much older than the response `Last-Modified` has to be, in seconds: a file that changes twice within its
  /// clock's resolution keeps its date (RFC 9110 §8.8.2.2).
  private static let safeAge: Int64 = 60

  /// What may stand in `If-Range`: a strong entity tag, else a `Last-Modified` safely older than the response.
  package var strongValidator: String? {
    if let entityTag {
      // A server that has a weak tag has said that its bytes may differ.
      return isStrongEntityTag(entityTag) ? entityTag : nil
    }
    guard let lastModified, let date, let changed = HTTPDate.seconds(lastModified),
      let answered = HTTPDate.seconds(date)
    else { return nil }
    return answered - changed >= Self.safeAge ? lastModified : nil
  }
}

/// Whether the text is a quoted entity tag without `W/` (RFC 9110 §8.8.3).
private func isStrongEntityTag(_ text: String) -> Bool {
  text.utf8.count >= 2 && text.utf8.first == UInt8(ascii: "\"")
    && text.utf8.last == UInt8(ascii: "\"")
}
