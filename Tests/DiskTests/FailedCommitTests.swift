import DiskSimulation
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Files that were on the disk when the commit of their rows failed.
@Suite final class FailedCommitTests {
  private let directory: TemporaryDirectory
  private let disk: SimulatedDisk
  private let world: World

  init() throws {
    directory = try TemporaryDirectory()
    let folder = directory.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    disk = try SimulatedDisk(at: folder)
    world = World(on: disk)
    try world.open()
  }

  deinit { disk.end() }

  /// Saves a book with a commit that the disk does not take.
  private func failToSave(_ book: Models.Book) async throws {
    // The tables are there, and so is the folder.
    try await world.magic.update(Models.Book(900))
    disk.calls.fail(.sync, with: EIO)
    let error = await #expect(throws: MagicError.self) { try await world.magic.update(book) }
    #expect(error?.code == .inputOutput)
    disk.heal()
  }

  private var files: [String] {
    let assets = world.path + "-assets"
    return ((try? FileManager.default.subpathsOfDirectory(atPath: assets)) ?? [])
      .filter { $0.hasSuffix(".txt") }
  }

  /// The table of files is gone with the first commit of a type that has some.
  @Test func aTableOfFilesThatWasRolledBackIsNotAskedForFiles() async throws {
    let book = Models.Book(1)
    book.text = .init()
    disk.calls.fail(.sync, with: EIO)
    await #expect(throws: MagicError.self) { try await world.magic.update(book) }
    disk.heal()
    try await world.magic.update(Models.Tag("new"))
    try await world.magic.update(book)
    #expect(try await world.magic.verify().isSound)
    await world.close()
  }

  /// What a rollback has done to the file is not taken for what another process has.
  @Test(arguments: [[DiskCall.sync], [.write], [.sync, .read]])
  func observersAreToldOfNoOtherProcess(failing: [DiskCall]) async throws {
    try await world.magic.update(Models.Author("Ada"))
    let changes = try world.magic.changes(of: Models.Author.self)
    for letter in ["b", "c"] {
      // With more pages the first one of the file changes, and is read again by the rollback.
      let name = String(repeating: letter, count: 10_000)
      for call in failing { disk.calls.fail(call, with: EIO, isLasting: true) }
      await #expect(throws: MagicError.self) {
        try await world.magic.update(Models.Author(name))
      }
      disk.heal()
      try await world.magic.update(Models.Author(name))
    }
    await world.close()
    var inserted = 0
    for await change in changes {
      #expect(change.origin == .process && change.isComplete)
      inserted += change.inserted.count
    }
    #expect(inserted == 2)
  }

  @Test func theyGoWithTheNextCommit() async throws {
    let book = Models.Book(1)
    try await failToSave(book)
    #expect(files.count == 2)
    try await world.magic.update(Models.Author("Ada"))
    #expect(files.count == 1)
    try await world.magic.update(book)
    #expect(files.count == 2)
    #expect(try await world.magic.verify().isSound)
    await world.close()
  }

  /// A commit that is not synced may be on the disk before the one that follows it in the log's place.
  @Test func theyOutliveALossOfPowerThatBringsTheirRowsBack() async throws {
    let folder = directory.url.appendingPathComponent("unsynced")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try SimulatedDisk(at: folder, remembers: true)
    defer { disk.end() }
    let world = World(on: disk, durability: .normal)
    try world.open()
    try await world.magic.update(Models.Book(900))
    let book = Models.Book(1)
    // So many pages that the log needs another part of its index, after all of them were written.
    book.title = String(repeating: "x", count: 9_000_000)
    disk.calls.fail(.map, with: EIO, isLasting: true)
    let error = await #expect(throws: MagicError.self) { try await world.magic.update(book) }
    #expect(error?.code == .inputOutput)
    disk.heal()
    disk.settle()
    try await world.magic.update(Models.Author("Ada"))
    let left = directory.url.appendingPathComponent("left")
    try disk.cutPower(into: left, .ofAllButNames)
    await world.close()

    let magic = try await MagicData(path: left.appendingPathComponent("test.sqlite3"))
    for book in try await magic.object(of: Models.Book.self) {
      #expect(try book.text.load() == Models.Book.text(book.number, 300))
    }
    let faults = try await magic.verify().findings.filter { $0.kind.isFault }
    #expect(faults.isEmpty)
    await magic.close()
  }

  /// A stream cannot be read again.
  @Test func oneThatWasStreamedStaysForTheNextSave() async throws {
    let bytes = Models.Book.text(5, 4_000)
    let pieces = AsyncStream<Data> { stream in
      for start in stride(from: 0, to: bytes.count, by: 1_000) {
        stream.yield(bytes[start..<start + 1_000])
      }
      stream.finish()
    }
    let book = Models.Book(1)
    book.text = try await world.magic.asset(streaming: pieces, pathExtension: "txt")
    try await failToSave(book)
    for name in ["Ada", "Grace"] { try await world.magic.update(Models.Author(name)) }
    try await world.magic.update(book)
    try await world.magic.update(Models.Author("Edsger"))
    await world.close()

    try world.open()
    let stored = try await world.magic.object(of: Models.Book.self, primary: 1)
    #expect(try stored.text.load() == bytes)
    #expect(try await world.magic.verify().isSound)
    await world.close()
  }

  /// As long as nothing was written over it, the log may have the whole commit: after a crash the row
  /// is there, or the file is not.
  @Test func theyStayAsLongAsACrashMayBringTheirRowsBack() async throws {
    try await failToSave(Models.Book(1))
    let copy = directory.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: disk.folder, to: copy)
    let magic = try await MagicData(path: copy.appendingPathComponent("test.sqlite3"))
    let books = try await magic.object(of: Models.Book.self).sorted { $0.number < $1.number }
    #expect(books.map(\.number) == [1, 900])
    #expect(try books.map { try $0.text.load() } == [1, 900].map { Models.Book.text($0, 300) })
    await magic.close()
    await world.close()
  }
}
