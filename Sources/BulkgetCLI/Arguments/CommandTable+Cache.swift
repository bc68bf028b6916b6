extension CommandTable {
  static let cache = Command(
    name: "bulkget cache",
    abstract: "show what is in the cache",
    subcommands: [cacheDirectory, cacheList, cachePath, cacheSize],
    examples: [
      .init(line: "bulkget cache size", meaning: "how much room the cache takes"),
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

  private static let cacheSize = Command(
    name: "bulkget cache size",
    abstract: "count files and bytes, partial ones too",
    action: .cacheSize,
    groups: [OptionGroup(title: "Options", options: [.cache, .json, .color])])
}
