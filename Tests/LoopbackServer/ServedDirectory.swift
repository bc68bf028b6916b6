import BulkgetSystem
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files below a directory, read when they are asked for.
struct ServedDirectory: Sendable {
  let root: String

  func response(to request: Request) -> Response {
    guard let path = Self.decoded(request.path), !path.split(separator: "/").contains("..") else {
      return Response(400)
    }
    do throws(SystemError) {
      guard let status = try FileSystem.status(of: root + path, followingLinks: true),
        status.kind == .file
      else { return Response(404) }
      let file = try FileDescriptor(opening: root + path, O_RDONLY)
      let bytes = try file.readAll(limit: 1 << 30) ?? []
      let seconds = Int(status.modificationTime / 1_000_000_000)
      let etag = "\"\(status.size)-\(status.modificationTime)\""
      return Resource(.bytes(bytes), etag: etag, lastModified: HTTPDate.text(seconds))
        .response(to: request)
    } catch {
      return Response(500, body: .text("\(error)\n"))
    }
  }

  /// A path with its percent escapes decoded, or nil where one is malformed or hides a NUL.
  private static func decoded(_ path: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
