/// The check of all digests that follows a program which verifies nothing: `sha256sum` once for each core.
struct DigestCheck: Sendable {
  /// The lists' texts by their paths.
  let lists: [String: String]

  /// Shares the files out so that each list has about as many bytes.
  init(_ job: Job, coreCount: Int) {
    var shares = [(byteCount: Int64, text: String)](repeating: (0, ""), count: coreCount)
    for file in job.files.sorted(by: { $0.byteCount > $1.byteCount }) {
      let least = shares.indices.min { shares[$0].byteCount < shares[$1].byteCount } ?? 0
      shares[least].byteCount += file.byteCount
      shares[least].text += "\(file.digest)  \(job.path(of: file))\n"
    }
    let used = shares.filter { !$0.text.isEmpty }.enumerated()
    lists = Dictionary(
      uniqueKeysWithValues: used.map { ("\(job.lists)/digests-\($0)", $1.text) })
  }

  /// Words for `xargs`, which finds the lists' names at its standard input.
  var arguments: [String] {
    ["-P", "\(lists.count)", "-n", "1", "sha256sum", "--check", "--quiet"]
  }

  /// What `xargs` reads.
  var input: [UInt8] { Array(lists.keys.sorted().joined(separator: "\n").utf8) }
}
