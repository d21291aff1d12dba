import CopySupport
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Exports of databases with random objects.
@Suite struct RandomGraphTests {
  @Test func anImportOfAnExportIsTheSameDatabase() async throws {
    let effort = Effort("GRAPH", rounds: 20, long: 1_000)
    var (rows, members, assets) = (0, 0, 0)
    for round in 0..<effort.rounds {
      let seed = effort.seed &+ UInt64(round)
      let directory = try TemporaryDirectory()
      let (path, back) = (directory.file("a.sqlite3").path, directory.file("b.sqlite3").path)
      let folder = directory.file("export").path
      let magic = try await MagicData(path: path)
      var graph = RandomGraph(seed: seed)
      try await graph.fill(magic)
      await magic.close()
      let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
      try removePositionsWithoutOwners(path)
      let source = try DatabaseDump(of: path)
      try await MagicData.copy(from: .folder(folder), to: .file(back))
      let copy = try DatabaseDump(of: back)
      let differences = copy.differencesOfCopy(from: source) + copy.faults + copy.leftovers
      #expect(differences.isEmpty, "MAGIC_GRAPH_SEED=\(seed): \(differences)")
      rows += exported.rows
      members += exported.members
      assets += exported.assets
    }
    // The graphs are not empty.
    let rounds = effort.rounds
    #expect(rows > rounds && members > rounds && assets > rounds / 4)
  }

  /// A song whose band was removed keeps its position in the list, which has no meaning and is not exported.
  private func removePositionsWithoutOwners(_ path: String) throws {
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    let columns = try connection.textColumn("SELECT name FROM pragma_table_info('Song')")
    guard columns.contains("Band.songs owner") else { return }
    try connection.execute(
      "UPDATE Song SET \"Band.songs position\" = NULL WHERE \"Band.songs owner\" IS NULL")
  }

  @Test func aDifferenceIsFound() async throws {
    let directory = try TemporaryDirectory()
    let paths = ["a.sqlite3", "b.sqlite3"].map { directory.file($0).path }
    for (path, name) in zip(paths, ["One", "one"]) {
      let magic = try await MagicData(path: path)
      try await magic.update(Band(name))
      await magic.close()
    }
    let (left, right) = (try DatabaseDump(of: paths[0]), try DatabaseDump(of: paths[1]))
    #expect(left.differencesOfCopy(from: right) == ["table Band"])
  }
}
