// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that packages that use MagicData do not fetch the dependencies of the
// example.
let package = Package(
  name: "QuickStart",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "quick-start", targets: ["QuickStart"])],
  dependencies: [
    .package(name: "MagicData", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .target(name: "DebianPackages", path: "DebianPackages"),
    .executableTarget(
      name: "QuickStart",
      dependencies: [
        "DebianPackages",
        .product(name: "MagicData", package: "MagicData"),
        .product(name: "MagicDataPostgres", package: "MagicData"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "QuickStart",
      resources: [.copy("Sample")],
      // Its tests import it with @testable and run in the release build, which `Tools/quick-start`
      // needs too. Both would otherwise build the library.
      swiftSettings: [.unsafeFlags(["-enable-testing"])]),
    .testTarget(
      name: "DebianPackagesTests", dependencies: ["DebianPackages"],
      path: "Tests/DebianPackagesTests"),
    .testTarget(
      name: "QuickStartTests",
      dependencies: [
        "DebianPackages", "QuickStart", .product(name: "MagicData", package: "MagicData"),
      ],
      path: "Tests/QuickStartTests"),
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
