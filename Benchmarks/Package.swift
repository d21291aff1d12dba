// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the library never fetch or build it.
let package = Package(
  name: "MagicBenchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "Workloads", targets: ["Workloads"]),
    .library(name: "MagicDataEngine", targets: ["MagicDataEngine"]),
    .library(name: "CTwin", targets: ["CTwin"]),
    .library(name: "Measuring", targets: ["Measuring"]),
    .executable(name: "magic-bench", targets: ["MagicBench"]),
    .executable(name: "magic-counts", targets: ["MagicCounts"]),
    .executable(name: "postgres-bench", targets: ["PostgresBench"]),
  ],
  traits: [
    .trait(
      name: "jemalloc", description: "Allocates with jemalloc in place of the system's allocator.")
  ],
  dependencies: [
    .package(name: "MagicData", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
  ],
  targets: [
    // The workloads, independent of engines.
    .target(name: "Workloads", path: "Workloads"),

    // The measured engines.
    .target(name: "CTwinFiles", path: "CTwinFiles"),
    .target(name: "CTwinVectors", path: "CTwinVectors"),
    .target(
      name: "CTwin",
      dependencies: [
        "Workloads", "CTwinFiles", "CTwinVectors",
        .product(name: "CMagicSQLite", package: "MagicData"),
      ],
      path: "CTwin"),
    .target(
      name: "MagicDataEngine",
      dependencies: ["Workloads", .product(name: "MagicData", package: "MagicData")],
      path: "MagicDataEngine"),

    // Measurement and reports, independent of engines.
    .target(
      name: "Measuring",
      dependencies: [
        "Workloads", .product(name: "CMagicSQLite", package: "MagicData"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Measuring"),

    .systemLibrary(
      name: "CJemalloc", path: "CJemalloc", pkgConfig: "jemalloc",
      providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),
    .executableTarget(
      name: "MagicBench",
      dependencies: [
        .target(name: "CJemalloc", condition: .when(traits: ["jemalloc"])), "CTwin",
        "MagicDataEngine",
        "Measuring", "Workloads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "MagicBench"),

    // The workloads on PostgreSQL, in C and with the library.
    .target(
      name: "CPostgresTwin", path: "CPostgresTwin",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "PostgresBench",
      dependencies: [
        "CPostgresTwin", "Workloads", .product(name: "MagicData", package: "MagicData"),
        .product(name: "MagicDataPostgres", package: "MagicData"),
      ],
      path: "PostgresBench"),

    // Exact counts of the same workloads.
    .target(name: "CAllocations", path: "CAllocations"),
    .target(
      name: "Counting",
      dependencies: ["CAllocations", .product(name: "CMagicSQLite", package: "MagicData")],
      path: "Counting"),
    .executableTarget(
      name: "MagicCounts",
      dependencies: [
        "CAllocations", "Counting", "CTwin", "MagicDataEngine", "Workloads",
        .product(name: "CMagicSQLite", package: "MagicData"),
        .product(name: "MagicData", package: "MagicData"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "MagicCounts"),
    .testTarget(
      name: "CountingTests",
      dependencies: [
        "CAllocations", "Counting", .product(name: "CMagicSQLite", package: "MagicData"),
      ],
      path: "Tests/CountingTests"),
    .testTarget(
      name: "MeasuringTests",
      dependencies: [
        "Measuring", "Workloads",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/MeasuringTests"),
  ],
  swiftLanguageModes: [.v6]
)

var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
var cSettings: [CSetting] = []

if Context.environment["MAGIC_STRICT"] == "1" {
  swiftSettings.append(.treatAllWarnings(as: .error))
  cSettings.append(.treatAllWarnings(as: .error))
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
  target.cSettings = (target.cSettings ?? []) + cSettings
}
