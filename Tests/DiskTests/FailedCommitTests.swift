import DiskSimulation
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Asset files that were already on the disk when the commit of their rows failed.
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

  /// Saves a book; the commit fails because the disk fails to sync.
  private func failToSave(_ book: Models.Book) async throws {
    // Creates the tables and the asset folder.
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

  /// The first commit of a type with assets creates the table of files, and its rollback removes
  /// it.
  @Test func aRolledBackTableOfFilesIsNotQueried() async throws {
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

  /// The changes that a rollback makes to the file are not reported as changes of another process.
  @Test(arguments: [[DiskCall.sync], [.write], [.sync, .read]])
  func aFailedCommitIsNotReportedAsAnExternalChange(failing: [DiskCall]) async throws {
    try await world.magic.update(Models.Author("Ada"))
    let changes = try world.magic.changes(of: Models.Author.self)
    for letter in ["b", "c"] {
      // A text of several pages changes the first page of the file, which the rollback reads again.
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

  @Test func filesOfAFailedCommitAreRemovedByTheNextCommit() async throws {
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

  /// An unsynced commit can reach the disk before the later commit that overwrites it in the log.
  @Test func filesOfAFailedCommitRemainIfAPowerFailureRestoresTheirRows() async throws {
    let folder = directory.url.appendingPathComponent("unsynced")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let disk = try SimulatedDisk(at: folder, recordsChanges: true)
    defer { disk.end() }
    let world = World(on: disk, durability: .normal)
    try world.open()
    try await world.magic.update(Models.Book(900))
    let book = Models.Book(1)
    // Enough pages that, once all are written, the log needs another part of its index.
    book.title = String(repeating: "x", count: 9_000_000)
    disk.calls.fail(.map, with: EIO, isLasting: true)
    let error = await #expect(throws: MagicError.self) { try await world.magic.update(book) }
    #expect(error?.code == .inputOutput)
    disk.heal()
    disk.makeDurable()
    try await world.magic.update(Models.Author("Ada"))
    let left = directory.url.appendingPathComponent("left")
    try disk.cutPower(into: left, .keepingOnlyNames)
    await world.close()

    let magic = try await MagicData(path: left.appendingPathComponent("test.sqlite3"))
    for book in try await magic.object(of: Models.Book.self) {
      #expect(try book.text.load() == Models.Book.text(book.number, 300))
    }
    let faults = try await magic.verify().findings.filter { $0.kind.isFault }
    #expect(faults.isEmpty)
    await magic.close()
  }

  /// A stream cannot be read again, so its file must not be removed.
  @Test func aStreamedFileIsKeptForTheNextSave() async throws {
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

  /// Until later frames overwrite it, the log can contain the complete commit: after a crash the
  /// row can exist, and needs its file.
  @Test func filesOfAFailedCommitRemainAsLongAsACrashCanRestoreTheirRows() async throws {
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
