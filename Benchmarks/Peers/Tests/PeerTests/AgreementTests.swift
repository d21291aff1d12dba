import Foundation
import Measuring
import PeerEngines
import Testing
import Workloads

/// Times are comparable only if all engines do the same work.
@Suite(.serialized)
struct AgreementTests {
  @Test(arguments: Workload.all.map(\.name))
  func allEnginesReadTheSameValues(in name: String) async throws {
    let workload = try #require(Workload.all.first { $0.name == name })
    let result = try await measured(workload, by: Peers.engines)
    var names = Peers.engines.map { $0.name }
    if Self.withoutPeers.contains(name) {
      names.removeLast(3)
    } else if Self.withRawSQL.contains(name) {
      names.removeSubrange(2..<4)
    }
    #expect(result.engines.map(\.engine) == names)
  }

  @Test(arguments: Written.allCases, Peers.engines.indices)
  func writtenValuesAreStored(_ written: Written, by engine: Int) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("peer-tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let opened = try await Peers.engines[engine].open(directory: directory, durability: .full)
    #expect(try await written.readBack(from: opened) == written.expected)
    await opened.close()
  }

  @Test
  func anEngineThatOmitsAValueIsDetected() async throws {
    let workload = try #require(Workload.all.first { $0.name == "W3" })
    let base = Peers.engines[0]
    try await measured(workload, by: [base, InMemory<Thorough>.self])
    await #expect(throws: Disagreement.self) {
      try await measured(workload, by: [base, InMemory<Hasty>.self])
    }
  }

  @Test
  func theVersionOfGRDBIsThatOfTheManifest() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let manifest = try String(
      contentsOf: package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let versions = Set(Peers.engines.filter { $0.name.hasPrefix("GRDB") }.map { $0.version })
    let version = try #require(versions.count == 1 ? versions.first : nil)
    #expect(manifest.contains(#"GRDB.swift", exact: "\#(version)""#))
  }

  /// Files, migrations, vectors, exports, and queries and types that only the C program has.
  private static let withoutPeers: Set = [
    "A1", "A2", "A3", "A4", "M1", "S5", "Q5", "Q6", "Q7", "Q8", "Q9", "X1", "X2",
    "X2f", "N1", "N2", "T3s", "T3", "T4", "T5", "T6",
  ]
  /// Full-text search, observation, types of values, and what needs no objects.
  private static let withRawSQL: Set = [
    "S1", "S2", "S3", "S3o", "S4", "V1", "V2", "V3", "W8", "W9", "T1s", "T1", "T2s", "T2",
  ]

  @discardableResult
  private func measured(
    _ workload: Workload, by engines: [any Engine.Type]
  ) async throws -> WorkloadResult {
    var settings = Measurement.Settings()
    settings.count = 1_000
    settings.runs = 1
    return try await Measurement(workload, engines: engines, settings: settings).result()
  }
}
