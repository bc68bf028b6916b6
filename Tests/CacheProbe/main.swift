// A process of its own for the tests of the cache: another umask, another user, one that can be killed.
//
//     cache-probe UMASK USER add DIRECTORY ID TEXT         publish one file
//     cache-probe UMASK USER hold DIRECTORY ID TEXT        begin a download, then wait to be killed or for the end of input
//     cache-probe UMASK USER commit DIRECTORY ID COUNT     commit records of many files, ten at a time
//     cache-probe UMASK USER churn DIRECTORY ID ROUNDS     publish and replace ten files again and again, saying each
//     cache-probe UMASK USER look DIRECTORY ID             say what a run would find
//
// UMASK is octal; USER is a number, 0 for no change.

import BulkgetKit
import BulkgetSystem

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let arguments = CommandLine.arguments
guard arguments.count >= 6, let mask = mode_t(arguments[1], radix: 8),
  let user = uid_t(arguments[2])
else {
  print("usage: cache-probe UMASK USER COMMAND DIRECTORY ID [TEXT]")
  exit(2)
}
umask(mask)
if user != 0, setgid(gid_t(user)) != 0 || setuid(user) != 0 {
  print("cannot become user \(user)")
  exit(3)
}

let key = FileKey(namespace: "default", id: arguments[5])
let text = arguments.count > 6 ? arguments[6] : ""

func makeRecord(_ key: FileKey) -> CacheRecord {
  CacheRecord(
    key: key, type: FileType("bin"), url: "http://h/a", finalURL: "http://h/a", digests: [],
    size: 1, modificationTime: 1, now: 1)
}

/// Publishes files named after `key` whose content is their id and a number, a thousand times.
func churn(_ cache: DiskCache) throws {
  for round in 0..<(Int(text) ?? 0) {
    let key = FileKey(namespace: "default", id: "\(key.id)-\(round % 10)")
    guard case .acquired(let lock) = try cache.lock(key) else { continue }
    var file = try cache.stage(key, under: lock)
    try cache.keep(PartialRecord(url: "u"), beside: &file)
    for _ in 0..<1000 { try file.descriptor.write(Array("\(key.id):\(round);".utf8)) }
    let previous = try cache.record(of: key)
    var record = makeRecord(key)
    record.type = round / 10 % 2 == 0 ? FileType("bin") : FileType("tar.gz")
    try cache.publish(file, as: record, replacing: previous, under: lock)
    print(key.id)
    fflush(nil)
  }
  try cache.flush()
}

func begin(_ cache: DiskCache) throws -> (StagedFile, FileLock?) {
  guard case .acquired(let lock) = try cache.lock(key) else {
    print("not locked")
    exit(4)
  }
  var file = try cache.stage(key, under: lock)
  try cache.keep(PartialRecord(url: "http://h/a", entityTag: "\"1\""), beside: &file)
  try file.descriptor.write(Array(text.utf8))
  return (file, lock)
}

func run() throws {
  let cache = try DiskCache.open(at: arguments[4], access: .writing())
  switch arguments[3] {
  case "add":
    let (file, lock) = try begin(cache)
    try cache.publish(file, as: makeRecord(key), replacing: nil, under: lock)
    try cache.flush()
  case "hold":
    let (file, lock) = try begin(cache)
    print("holding")
    fflush(nil)
    while getchar() != EOF {}
    withExtendedLifetime((file, lock)) {}
  case "commit":
    for number in 0..<(Int(text) ?? 0) {
      cache.record(makeRecord(FileKey(namespace: "default", id: "\(key.id)-\(number)")))
      if number % 10 == 9 { try cache.flush() }
    }
    try cache.flush()
  case "churn":
    try churn(cache)
  case "look":
    let snapshot = try cache.snapshot(of: [Entry(key: key, sources: [], type: FileType("bin"))])
    let file = snapshot.files[key]
    print("writable", cache.isWritable)
    print("recorded", file?.record != nil)
    print("readable", file?.observation?.isReadable ?? false)
    print("warnings", snapshot.warnings.map(\.code).joined(separator: ","))
  default:
    exit(2)
  }
}

do {
  try run()
  print("done")
} catch {
  print("error: \(error)")
  exit(1)
}
