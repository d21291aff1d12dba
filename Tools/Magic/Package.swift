// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that packages that use MagicData do not fetch the dependencies of the
// tool.
let package = Package(
  name: "Magic",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "magic", targets: ["magic"]),
    .library(name: "MagicCommand", targets: ["MagicCommand"]),
    .library(name: "MagicBrowser", targets: ["MagicBrowser"]),
    .library(name: "MagicInspection", targets: ["MagicInspection"]),
  ],
  dependencies: [
    .package(name: "MagicData", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .target(
      name: "MagicInspection",
      dependencies: [.product(name: "MagicSQLite", package: "MagicData")],
      path: "Inspection"),
    .target(
      name: "MagicDescribedTypes",
      dependencies: ["MagicInspection", .product(name: "MagicData", package: "MagicData")],
      path: "Described"),
    .target(
      name: "MagicServerInspection",
      dependencies: ["MagicInspection", .product(name: "MagicData", package: "MagicData")],
      path: "ServerInspection"),
    .target(
      name: "MagicBrowser",
      dependencies: [
        "MagicDescribedTypes", "MagicInspection", "MagicServerInspection",
        .product(name: "MagicData", package: "MagicData"),
      ],
      path: "Browser",
      resources: [
        .embedInCode("Resources/icon.svg"), .embedInCode("Resources/script.js"),
        .embedInCode("Resources/style.css"),
      ]),
    .target(
      name: "MagicCommand",
      dependencies: [
        "MagicBrowser", "MagicDescribedTypes", "MagicInspection", "MagicServerInspection",
        .product(name: "MagicData", package: "MagicData"),
        .product(name: "MagicDataPostgres", package: "MagicData"),
        .product(name: "MagicDataTesting", package: "MagicData"),
        .product(name: "MagicSQLite", package: "MagicData"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Command"),
    .executableTarget(
      name: "magic",
      dependencies: ["MagicCommand", .product(name: "MagicData", package: "MagicData")],
      path: "Tool"),
    .target(
      name: "ToolTestSupport",
      dependencies: ["MagicInspection", .product(name: "MagicSQLite", package: "MagicData")],
      path: "Tests/Support"),
    .testTarget(
      name: "MagicBrowserTests",
      dependencies: [
        "MagicBrowser", "MagicInspection", "ToolTestSupport",
        .product(name: "MagicData", package: "MagicData"),
        .product(name: "MagicSQLite", package: "MagicData"),
      ],
      path: "Tests/BrowserTests"),
    .testTarget(
      name: "MagicCommandTests",
      dependencies: [
        "MagicBrowser", "MagicCommand", "MagicInspection", "ToolTestSupport",
        .product(name: "MagicData", package: "MagicData"),
        .product(name: "MagicDataPostgres", package: "MagicData"),
        .product(name: "MagicSQLite", package: "MagicData"),
      ],
      path: "Tests/CommandTests"),
    .testTarget(
      name: "MagicInspectionTests",
      dependencies: [
        "MagicInspection", "ToolTestSupport",
        .product(name: "MagicSQLite", package: "MagicData"),
      ],
      path: "Tests/InspectionTests"),
  ],
  swiftLanguageModes: [.v6]
)

var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

if Context.environment["MAGIC_STRICT"] == "1" {
  swiftSettings.append(.treatAllWarnings(as: .error))
}

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
}
