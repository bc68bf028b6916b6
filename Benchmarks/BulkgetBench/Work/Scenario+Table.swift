extension FileSet {
  private static let mebibyte: Int64 = 1 << 20

  static let small = FileSet(name: "small", sizes: .equal(count: 10_000, byteCount: 4_096))
  static let medium = FileSet(name: "medium", sizes: .equal(count: 400, byteCount: mebibyte))
  static let large = FileSet(name: "large", sizes: .equal(count: 1, byteCount: 2_048 * mebibyte))
  static let mixed = FileSet(
    name: "mixed", sizes: .spread(count: 2_000, totalByteCount: 1_024 * mebibyte))
  static let throttled = FileSet(
    name: "throttled", sizes: .equal(count: 1, byteCount: 32 * mebibyte))
  static let plan = FileSet(name: "plan", sizes: .equal(count: 100_000, byteCount: 256))
}

extension Scenario {
  static let all = [
    Scenario(
      name: "small", summary: "10,000 files of 4 KiB", files: .small,
      tools: [.bulkget: 8, .curl: 8, .wget2: 8, .aria2c: 4]),
    Scenario(
      name: "medium", summary: "400 files of 1 MiB", files: .medium,
      tools: [.bulkget: 8, .curl: 32, .wget2: 8, .aria2c: 2]),
    Scenario(
      name: "large", summary: "one file of 2 GiB", files: .large,
      tools: [
        .bulkget: 1, .curl: 1, .wget2: 1, .aria2c: 1, .axel: Tuning(jobs: 1, segments: 4),
      ]),
    Scenario(
      name: "mixed", summary: "2,000 files of 1 KiB to 4 MiB, 1 GiB together", files: .mixed,
      tools: [.bulkget: 8, .curl: 32, .wget2: 2, .aria2c: 16]),
    Scenario(
      name: "tls-h2-small", summary: "4,000 files of 4 KiB over TLS and HTTP/2", files: .small,
      fileLimit: 4_000, route: .secure,
      tools: [.bulkget: 8, .curl: 8, .wget2: 2, .aria2c: 4]),
    Scenario(
      name: "throttled", summary: "one file of 32 MiB, 4 MiB/s a request", files: .throttled,
      route: .throttled,
      tools: [
        .bulkget: Tuning(jobs: 16, segments: 16), .curl: 1,
        .wget2: Tuning(jobs: 16, segments: 16), .aria2c: Tuning(jobs: 1, segments: 16),
        .axel: Tuning(jobs: 1, segments: 64),
      ]),
    Scenario(
      name: "latency", summary: "2,000 files of 4 KiB over 20 ms", files: .small,
      fileLimit: 2_000, route: .distant,
      tools: [.bulkget: 256, .curl: 256, .wget2: 256, .aria2c: 128]),
    Scenario(
      name: "noop", summary: "10,000 files of 4 KiB, all up to date", files: .small,
      start: .everything, tools: [.bulkget: 8, .curl: 8, .wget2: 8, .aria2c: 4]),
    Scenario(
      name: "resume", summary: "one file of 2 GiB, half of it there", files: .large, start: .half,
      tools: [.bulkget: 1, .curl: 1, .wget2: 1, .aria2c: 1]),
    Scenario(
      name: "plan", summary: "a plan of 100,000 files, all cached", files: .plan,
      start: .plan, tools: [.bulkget: 8]),
    Scenario(
      name: "plan-crowded", summary: "the same beside 1,000,000 other records", files: .plan,
      start: .plan, otherRecordCount: 1_000_000, tools: [.bulkget: 8]),
  ]
}
