import DiskSimulation
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// In what order a database and its files reach the disk, seen where the power fails between both.
@Suite final class FileOrderTests {
  private let directory: TemporaryDirectory
  private let disk: SimulatedDisk

  init() throws {
    directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    disk = try SimulatedDisk(at: folder, remembers: true)
  }

  deinit { disk.end() }

  private var left: URL { directory.url.appendingPathComponent("left") }

  /// Expects that a database has some books, each with its file, and that nothing is wrong with it.
  private func expect(_ numbers: [Int], in name: String) async throws {
    let magic = try await MagicData(path: left.appendingPathComponent(name))
    let books = try await magic.object(of: Models.Book.self)
    #expect(books.map(\.number) == numbers)
    for book in books { #expect(try book.text.load() == Models.Book.text(book.number, 300)) }
    let faults = try await magic.verify().findings.filter { $0.kind.isFault }
    #expect(faults.isEmpty)
    await magic.close()
  }

  /// With `.normal` too, although nothing else waits for the log to be on the disk.
  @Test func aRemovedFileGoesAfterItsRow() async throws {
    let world = World(on: disk, durability: .normal)
    try world.open()
    let books = [Models.Book(1), Models.Book(2)]
    try await world.magic.update(contentsOf: books)
    disk.settle()
    try await world.magic.remove(books[1])
    try disk.cutPower(into: left, .ofAllButNames)
    await world.close()
    try await expect([1], in: "test.sqlite3")
  }

  /// So many that their rows go with the next commit.
  @Test func aRemovedFileIsForgottenWhenItCannotComeBack() async throws {
    let world = World(on: disk)
    try world.open()
    try await world.magic.update(contentsOf: (1...70).map { Models.Book($0) })
    await world.close()
    disk.settle()
    // A program that has put nothing into their folder: no opening looks for files that no row names.
    try world.open()
    let books = try await world.magic.object(of: Models.Book.self)
    try await world.magic.remove(contentsOf: books.dropFirst())
    try await world.magic.update(Models.Author("Ada"))
    try disk.cutPower(into: left, .ofNames)
    await world.close()
    try await expect([1], in: "test.sqlite3")
  }

  @Test(arguments: 0..<12) func aCopyIsOnTheDiskWhenItHasItsName(seed: UInt64) async throws {
    let world = World(on: disk)
    try world.open()
    try await world.magic.update(contentsOf: [Models.Book(1), Models.Book(2)])
    try await world.magic.backup(to: world.backupPath)
    try disk.cutPower(into: left, seed: seed)
    await world.close()
    try await expect([1, 2], in: "test.sqlite3.copy.sqlite3")
  }
}
