// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What tests and the benchmark share is also built for release, where the importer ascribes `timespec` to another module.
let shared: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility", .when(configuration: .debug)),
]

/// Above BulkgetSystem no C pointer is touched, and the compiler watches it.
let safe: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
  name: "bulkget",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "bulkget", targets: ["bulkget"]),
    .library(name: "BulkgetKit", targets: ["BulkgetKit"]),
  ],
  targets: [
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    // Only for the test server; the program itself speaks TLS through libcurl.
    .systemLibrary(
      name: "CTLS", path: "Tests/CTLS", pkgConfig: "libssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .target(
      name: "BulkgetSystem",
      dependencies: ["CYAML", "CCurl", "CCrypto", "CSQLite"], swiftSettings: common),
    .target(name: "BulkgetKit", dependencies: ["BulkgetSystem"], swiftSettings: safe),
    .target(
      name: "BulkgetCLI", dependencies: ["BulkgetKit", "BulkgetSystem"], swiftSettings: safe),
    .executableTarget(name: "bulkget", dependencies: ["BulkgetCLI"], swiftSettings: safe),

    .target(
      name: "TestSupport", dependencies: ["BulkgetSystem", "CTLS"], path: "Tests/TestSupport",
      swiftSettings: shared),
    .executableTarget(
      name: "loopback-server", dependencies: ["TestSupport"], path: "Tests/LoopbackServer",
      swiftSettings: common),
    .executableTarget(
      name: "cache-probe", dependencies: ["BulkgetKit", "BulkgetSystem"], path: "Tests/CacheProbe",
      swiftSettings: common),
    .executableTarget(
      name: "bulkget-bench", dependencies: ["BulkgetKit", "BulkgetSystem", "TestSupport"],
      path: "Benchmarks/BulkgetBench", swiftSettings: shared),
    .testTarget(
      name: "BulkgetSystemTests", dependencies: ["BulkgetSystem", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "BulkgetKitTests",
      dependencies: ["BulkgetKit", "BulkgetSystem", "TestSupport", "cache-probe"],
      swiftSettings: safe),
    .testTarget(
      name: "BulkgetCLITests",
      dependencies: ["BulkgetCLI", "BulkgetKit", "BulkgetSystem", "TestSupport"],
      swiftSettings: safe),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["bulkget", "bulkget-bench", "BulkgetKit", "BulkgetSystem", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "BulkgetBenchTests",
      dependencies: ["bulkget-bench", "BulkgetKit", "BulkgetSystem", "TestSupport"],
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
