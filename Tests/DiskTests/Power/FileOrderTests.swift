import DiskSimulation
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// The order in which a database and its files reach the disk, tested by power failures in
/// between.
@Suite final class FileOrderTests {
  private let directory: TemporaryDirectory
  private let disk: SimulatedDisk

  init() throws {
    directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    disk = try SimulatedDisk(at: folder, recordsChanges: true)
  }

  deinit { disk.end() }

  private var left: URL { directory.url.appendingPathComponent("left") }

  /// Expects that a database has exactly these books, each with its file, and that it is sound.
  private func expect(_ numbers: [Int], in name: String) async throws {
    let magic = try await MagicData(path: left.appendingPathComponent(name))
    let books = try await magic.object(of: Models.Book.self)
    #expect(books.map(\.number) == numbers)
    for book in books { #expect(try book.text.load() == Models.Book.text(book.number, 300)) }
    let faults = try await magic.verify().findings.filter { $0.kind.isFault }
    #expect(faults.isEmpty)
    await magic.close()
  }

  /// This applies to `.normal` too, although nothing else waits for a sync of the log.
  @Test func aFileIsDeletedAfterTheRemovalOfItsRowIsDurable() async throws {
    let world = World(on: disk, durability: .normal)
    try world.open()
    let books = [Models.Book(1), Models.Book(2)]
    try await world.magic.update(contentsOf: books)
    disk.makeDurable()
    try await world.magic.remove(books[1])
    try disk.cutPower(into: left, .keepingOnlyNames)
    await world.close()
    try await expect([1], in: "test.sqlite3")
  }

  /// Enough files that the next commit removes their rows from the table of files.
  @Test func aDeletedFileIsRecordedUntilItsDeletionIsDurable() async throws {
    let world = World(on: disk)
    try world.open()
    try await world.magic.update(contentsOf: (1...70).map { Models.Book($0) })
    await world.close()
    disk.makeDurable()
    // This process adds no file to their folder, so no open searches for files without rows.
    try world.open()
    let books = try await world.magic.object(of: Models.Book.self)
    try await world.magic.remove(contentsOf: books.dropFirst())
    try await world.magic.update(Models.Author("Ada"))
    try disk.cutPower(into: left, .keepingOnlyWrites)
    await world.close()
    try await expect([1], in: "test.sqlite3")
  }

  @Test(arguments: 0..<12) func aBackupIsDurableBeforeItHasItsName(seed: UInt64) async throws {
    let world = World(on: disk)
    try world.open()
    try await world.magic.update(contentsOf: [Models.Book(1), Models.Book(2)])
    try await world.magic.backup(to: world.backupPath)
    try disk.cutPower(into: left, seed: seed)
    await world.close()
    try await expect([1, 2], in: "test.sqlite3.copy.sqlite3")
  }
}
