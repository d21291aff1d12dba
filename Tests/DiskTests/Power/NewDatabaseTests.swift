import DiskSimulation
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A new database, in new directories, survives a power failure from its first save on.
@Suite struct NewDatabaseTests {
  @Test(arguments: 0..<24)
  func theFirstSaveSurvivesAPowerFailure(seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try SimulatedDisk(at: folder, recordsChanges: true)
    defer { disk.end() }
    let world = World(on: disk, in: "new/directories")
    try world.open()
    try await world.magic.update(Models.Book(1, by: Models.Author("Ada")))
    let left = directory.url.appendingPathComponent("left")
    try disk.cutPower(into: left, seed: seed)
    await world.close()

    let magic = try await MagicData(
      path: left.appendingPathComponent("new/directories/test.sqlite3"))
    let books = try await magic.object(of: Models.Book.self)
    #expect(books.map(\.author?.name) == ["Ada"])
    #expect(try books.map { try $0.text.load() } == [Models.Book.text(1, 300)])
    await magic.close()
  }
}
