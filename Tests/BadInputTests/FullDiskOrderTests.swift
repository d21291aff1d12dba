import DiskSimulation
import Foundation
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// Indexes in the order of another system, for which there is no space to build them again.
@Suite struct FullDiskOrderTests {
  let scratch = Scratch()

  private struct Label: MagicObject {
    @MagicValue(.indexed, .compared(.localized("de"))) var name: String
    @MagicValue var number: Int

    init() {}
    init(_ name: String, _ number: Int) { (self.name, self.number) = (name, number) }
  }

  private static let names = (0..<2_000).map { "ä label with a name of some length \($0)" }

  /// Saves labels, records another order of their index, and opens the database on a full disk.
  private static func withFullDisk(
    _ path: String, _ body: (MagicData, SimulatedDisk) async throws -> Void
  ) async throws {
    let magic = try await MagicData(path: path)
    try await magic.update(contentsOf: names.enumerated().map { Label($1, $0) })
    await magic.close()
    let raw = try SQLiteConnection(path: path)
    try raw.execute("UPDATE magic_collations SET order_hash = 'earlier'")
    raw.close()
    let disk = try SimulatedDisk(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    disk.calls.fail(.grow, with: ENOSPC, isLasting: true)
    let full = try await MagicData(path: path)
    // The indexes were not built again, because there was no space for the log.
    #expect(disk.calls.failureCount > 0)
    try await body(full, disk)
    await full.close()
  }

  private static func expectRefused(by magic: MagicData) async throws {
    let query = magic.query(Label.self)
    await expect(.needsMigration) { _ = try await query.where(\.$name == names[7]).all() }
    await expect(.needsMigration) { _ = try await query.order(by: \.$name).limit(3).all() }
    #expect(try await query.where(\.$number == 7).all().map(\.name) == [names[7]])
    #expect(try await magic.object(of: Label.self).count == names.count)
    #expect(try await magic.verify().findings.map(\.kind) == [.wrongOrder])
  }

  private static func expectOrder(_ magic: MagicData) async throws {
    #expect(try await magic.verify().findings == [])
    let query = magic.query(Label.self)
    #expect(try await query.where(\.$name == names[7]).all().map(\.number) == [7])
    #expect(try await query.order(by: \.$name).all().count == names.count)
  }

  @Test func withoutSpaceTheDatabaseIsOpenedAndWhatReadsTheIndexIsRefused() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withFullDisk(path) { magic, disk in
        try await Self.expectRefused(by: magic)
        await expect(.diskFull) { _ = try await magic.repair() }
        try await Self.expectRefused(by: magic)
        disk.heal()
        #expect(try await magic.repair().findings.map(\.kind) == [.wrongOrder])
        try await Self.expectOrder(magic)
      }
    }
  }

  @Test func theNextOpeningWithSpaceBuildsTheIndexes() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withFullDisk(path) { magic, disk in
        try await Self.expectRefused(by: magic)
        disk.heal()
        await magic.close()
        let again = try await MagicData(path: path)
        try await Self.expectOrder(again)
        await again.close()
      }
    }
  }
}
