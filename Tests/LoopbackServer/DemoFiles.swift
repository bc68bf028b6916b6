import TestSupport

/// The files that `--demo` serves, the same bytes on every machine.
enum DemoFiles {
  struct File {
    let path: String
    let type: String
    let body: Body
  }

  static let all = [
    File(path: "/hello.txt", type: "text/plain", body: .text("Hello from a loopback server.\n")),
    File(path: "/numbers.csv", type: "text/csv", body: .text(numbers)),
    File(
      path: "/toolchain.tar.gz", type: "application/gzip", body: .pseudoRandom(1 << 20, seed: 2)),
    File(
      path: "/model.bin", type: "application/octet-stream", body: .pseudoRandom(8 << 20, seed: 3)),
    File(path: "/logo.svg", type: "image/svg+xml", body: .text(logo)),
  ]

  static var routes: [String: [Step]] {
    Dictionary(
      uniqueKeysWithValues: all.map { file in
        let etag = "\"\(file.body.hexadecimalDigest().prefix(16))\""
        return (file.path, [.file(Resource(file.body, etag: etag, type: file.type))])
      })
  }

  private static var numbers: String {
    let rows = (1...4_250).map { "\($0),\($0 * $0),\($0 * $0 % 97)\n" }
    return "number,square,remainder\n" + rows.joined()
  }

  private static let logo = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
      <rect width="64" height="64" rx="12" fill="#1b4965"/>
      <path d="M32 10v30m-14-14 14 14 14-14M14 52h36" fill="none" stroke="#fff" stroke-width="6"/>
    </svg>

    """
}
