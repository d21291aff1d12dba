// swift-tools-version: 6.2
import PackageDescription

// Other libraries, measured next to MagicData. Users of MagicData do not fetch them.
let package = Package(
  name: "MagicPeers",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "GRDBEngines", targets: ["GRDBEngines"]),
    .executable(name: "peer-bench", targets: ["PeerBench"]),
  ],
  dependencies: [
    .package(name: "MagicBenchmarks", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(
      name: "GRDBEngines",
      dependencies: [
        .product(name: "Workloads", package: "MagicBenchmarks"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "GRDBEngines"),

    // The list of compared engines.
    .target(
      name: "PeerEngines",
      dependencies: [
        "GRDBEngines",
        .product(name: "CTwin", package: "MagicBenchmarks"),
        .product(name: "MagicDataEngine", package: "MagicBenchmarks"),
        .product(name: "Workloads", package: "MagicBenchmarks"),
      ],
      path: "PeerEngines"),

    .executableTarget(
      name: "PeerBench",
      dependencies: [
        "PeerEngines",
        .product(name: "Measuring", package: "MagicBenchmarks"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "PeerBench"),
    .testTarget(
      name: "PeerTests",
      dependencies: [
        "PeerEngines",
        .product(name: "Measuring", package: "MagicBenchmarks"),
        .product(name: "Workloads", package: "MagicBenchmarks"),
      ],
      path: "Tests/PeerTests"),
  ],
  swiftLanguageModes: [.v6]
)

var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
var cSettings: [CSetting] = []

// `ci/check` and `ci/test` set this variable: warnings are errors here, but not for dependents.
if Context.environment["MAGIC_STRICT"] == "1" {
  swiftSettings.append(.treatAllWarnings(as: .error))
  cSettings.append(.treatAllWarnings(as: .error))
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
  target.cSettings = (target.cSettings ?? []) + cSettings
}
