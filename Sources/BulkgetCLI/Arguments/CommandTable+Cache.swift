extension CommandTable {
  static let cache = Command(
    name: "bulkget cache",
    abstract: "show what is in the cache, and remove it",
    subcommands: [cacheDirectory, cacheList, cachePath, cachePrune, cacheRemove, cacheSize],
    examples: [
      .init(line: "bulkget cache size", meaning: "how much room the cache takes"),
      .init(
        line: "bulkget cache prune --max-size 20G --older-than 30d",
        meaning: "make room, oldest first"),
      .init(line: "tar xf \"$(bulkget cache path 1001)\"", meaning: "use a cached file"),
    ])

  private static let cacheDirectory = Command(
    name: "bulkget cache dir",
    abstract: "print the cache's directory",
    action: .cacheDirectory,
    groups: [OptionGroup(title: "Options", options: [.cache, .color])])

  private static let cacheList = Command(
    name: "bulkget cache list",
    abstract: "list the cached files",
    action: .cacheList,
    groups: [OptionGroup(title: "Options", options: [.cache, .json, .color])])

  private static let cachePath = Command(
    name: "bulkget cache path",
    abstract: "print the path of a cached file",
    action: .cachePath,
    operand: Operand(
      placeholder: "ID", count: .one, help: "the id that the manifest gives the file",
      example: "1001"),
    groups: [OptionGroup(title: "Options", options: [.cache, .namespace, .json, .color])],
    legends: [exitStatuses([("0", "the file is in the cache"), ("1", "it is not")])])

  private static let cachePrune = Command(
    name: "bulkget cache prune",
    abstract: "remove what is not wanted any more",
    discussion: [
      """
      Without any rule only incomplete files go. What a running process uses is never removed, \
      whatever the rules say.
      """
    ],
    action: .cachePrune,
    groups: [
      OptionGroup(title: "Rules", options: [.maximumSize, .olderThan, .keep]),
      OptionGroup(title: "Options", options: [.pruneDryRun, .cache, .json] + saying),
    ],
    examples: [
      .init(
        line: "bulkget cache prune --keep main.yaml --keep nightly.yaml --dry-run",
        meaning: "what neither manifest lists")
    ],
    legends: [
      exitStatuses([
        ("0", "it is removed"), ("2", "wrong usage, or an error in a manifest to keep"),
        ("4", "the cache cannot be written"),
      ])
    ])

  private static let cacheRemove = Command(
    name: "bulkget cache remove",
    abstract: "remove a cached file and what is kept of its download",
    action: .cacheRemove,
    operand: Operand(
      placeholder: "ID", count: .one, help: "the id that the manifest gives the file",
      example: "1001"),
    groups: [OptionGroup(title: "Options", options: [.cache, .namespace] + saying)],
    legends: [
      exitStatuses([
        ("0", "it is removed"), ("1", "it is not in the cache, or a running process uses it"),
      ])
    ])

  private static let cacheSize = Command(
    name: "bulkget cache size",
    abstract: "count files and bytes, partial ones too",
    action: .cacheSize,
    groups: [OptionGroup(title: "Options", options: [.cache, .json, .color])])
}
