import BulkgetKit
import BulkgetSystem

/// `bulkget cache …`: shows what is in the cache, and removes it.
struct CacheCommand: Sendable {
  let action: Command.Action
  let settings: Settings
  let context: CommandContext

  /// Looks and prints.
  func run() throws(CommandFailure) -> ExitStatus {
    let directory = try context.locations.cacheDirectory(settings)
    switch action {
    case .cacheList: try printList(of: directory)
    case .cachePath: try printPath(in: directory)
    case .cacheSize: try printSize(of: directory)
    case .cachePrune: try prune(directory)
    case .cacheRemove: try remove(from: directory)
    default:
      try context.print { buffer throws(StreamError) in try buffer.write(line: fit(directory)) }
    }
    return .success
  }

  private func printList(of directory: String) throws(CommandFailure) {
    let files = try context.actions.cachedFiles(directory)
    if settings.printsJSON { return try context.print(.cacheList(files)) }
    let text = CacheText(files: files)
    try context.print { buffer throws(StreamError) in try text.write(to: &buffer) }
  }

  private func printPath(in directory: String) throws(CommandFailure) {
    let key = FileKey(namespace: settings.namespace, id: settings.operands.first ?? "")
    guard let file = try context.actions.cachedFile(directory, key) else {
      throw try missing(key, in: directory)
    }
    if settings.printsJSON { return try context.print(.cacheList([file])) }
    try context.print { buffer throws(StreamError) in try buffer.write(line: fit(file.path)) }
  }

  private func missing(
    _ key: FileKey, in directory: String
  ) throws(CommandFailure) -> CommandFailure {
    let namespaces = try context.actions.cachedFiles(directory)
      .filter { $0.record.key.id == key.id }.map(\.record.key.namespace)
    return .notFound(
      "`\(key.id)` is not in the namespace `\(key.namespace)` of the cache `\(directory)`",
      hint: namespaces.isEmpty
        ? "`bulkget cache list` shows what is there"
        : "it is in \(Wording.list(namespaces)): add `--namespace`")
  }

  private func printSize(of directory: String) throws(CommandFailure) {
    let size = try context.actions.cacheSize(directory)
    if settings.printsJSON { return try context.print(.cacheSize(size)) }
    let total = ByteCountText.human(size.byteCount + size.partialByteCount)
    try context.print { buffer throws(StreamError) in
      try buffer.write(line: line("complete", size.fileCount, size.byteCount))
      try buffer.write(line: line("partial", size.partialCount, size.partialByteCount))
      try buffer.write(line: "total: \(total)")
    }
  }

  private func prune(_ directory: String) throws(CommandFailure) {
    var kept: [String] = []
    for path in settings.keptManifests { kept.append(try context.locations.absolute(path)) }
    let result = try context.actions.pruneCache(
      directory, settings.pruning, kept, settings.plansOnly)
    if settings.printsJSON { return try context.print(.cachePrune(result)) }
    if settings.verbosity == .quiet { return }
    let text = PruneText(
      result: result, isRehearsal: settings.plansOnly,
      listsFiles: settings.plansOnly || settings.verbosity == .verbose)
    try context.print { buffer throws(StreamError) in try text.write(to: &buffer) }
  }

  private func remove(from directory: String) throws(CommandFailure) {
    let key = FileKey(namespace: settings.namespace, id: settings.operands.first ?? "")
    switch try context.actions.removeCached(directory, key) {
    case .removed: break
    case .missing: throw try missing(key, in: directory)
    case .inUse:
      throw .notFound(
        "`\(key.id)` is not removed: a running process uses it",
        hint: "try again when that process has ended")
    }
  }

  private func line(_ name: String, _ count: Int, _ byteCount: Int64) -> String {
    "\(name): \(count) \(count == 1 ? "file" : "files"), \(ByteCountText.human(byteCount))"
  }

  /// A path for a script is printed as it is; a terminal never gets what it might obey.
  private func fit(_ path: String) -> String {
    context.console.output.isTerminal ? PrintableText.escaped(path) : path
  }
}
