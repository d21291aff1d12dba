import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicFiles
import MagicGraph
import MagicSQLite
import MagicTestSupport
import Testing

/// A backup of a database with its files.
@Suite struct CopyingAssetsTests {
  let scratch = Scratch()

  private var copyPath: String { scratch.file("copy.sqlite3") }

  private func withCopy<Result>(_ body: (MagicObjectStore) throws -> Result) throws -> Result {
    let copy = try MagicObjectStore.open(.file(copyPath))
    defer { copy.close() }
    return try body(copy)
  }

  /// The files next to the database.
  private var others: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? [])
      .filter { !$0.hasPrefix("test.sqlite3") }.sorted()
  }

  private func folder() -> AssetFolder {
    AssetFolder(DiskFileSystem(root: scratch.assets, durability: .none), path: scratch.assets)
  }

  @Test func theBackupHasItsFilesUnderTheSameNames() throws {
    try scratch.using { store throws in
      let albums = (0..<20).map { Album("\($0)", notes: "notes of \($0)") }
      albums[3].cover = .init(value: Data(count: 3_000_000))
      albums[4].notes = .init(value: "", pathExtension: "txt")
      try store.update(contentsOf: albums)
      var last: MagicBackupProgress?
      try store.backup(to: copyPath) { last = $0 }
      #expect(last?.fileCount == 21)
      #expect(last?.filesDone == 21)
      #expect(last?.fraction == 1)
    }
    #expect(others == ["copy.sqlite3", "copy.sqlite3-assets"])
    let copied = try FileManager.default.subpathsOfDirectory(atPath: copyPath + "-assets")
    #expect(copied.filter { $0.contains("/") }.sorted() == scratch.assetFiles)
    try FileManager.default.removeItem(atPath: scratch.assets)
    try withCopy { copy throws in
      #expect(try copy.verify().findings == [])
      let albums = try copy.object(of: Album.self)
      #expect(albums.count == 20)
      #expect(try albums[7].notes.load() == "notes of 7")
      #expect(try albums[3].cover.load()?.count == 3_000_000)
      #expect(try albums[4].notes.load() == "")
      albums[7].notes = .init(value: "new")
      try copy.update(albums[7])
      try copy.remove(albums[3])
      #expect(try copy.verify().findings == [])
    }
  }

  @Test func aDatabaseInMemoryIsBackedUpWithItsFiles() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    try store.update(Album("a", notes: "x"))
    try store.backup(to: copyPath)
    try withCopy { copy throws in
      #expect(try copy.object(of: Album.self, primary: "a").notes.load() == "x")
      #expect(try copy.verify().findings == [])
    }
  }

  @Test func aDatabaseWhoseAssetsWereAllRemovedIsBackedUpWithoutAFolder() throws {
    try scratch.using { store throws in
      let album = Album("a", notes: "x")
      try store.update(album)
      try store.remove(album)
      try store.backup(to: copyPath)
    }
    #expect(others == ["copy.sqlite3"])
    #expect(try withCopy { try $0.verify() }.findings == [])
  }

  @Test func aMissingFileEndsTheBackupAndTheErrorNamesTheRow() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: [Album("a", notes: "x"), Album("b", notes: "y")])
      let lost = try #require(store.object(of: Album.self, primary: "b").notes.path)
      try FileManager.default.removeItem(at: lost)
      let error = #expect(throws: MagicError.self) { try store.backup(to: copyPath) }
      #expect(error?.code == .assetMissing)
      #expect(error?.type == "Album")
      #expect(error?.property == "notes")
      #expect(error?.message.hasPrefix("Row 2 of table Album") == true)
      #expect(others == [])
      try store.backup(to: copyPath, allowsMissingAssets: true)
    }
    try withCopy { copy throws in
      #expect(try copy.object(of: Album.self, primary: "a").notes.load() == "x")
      #expect(try copy.verify().findings.map(\.kind) == [.missingFile])
    }
  }

  @Test func aTruncatedFileEndsTheBackupOrIsOmitted() throws {
    try scratch.using { store throws in
      try store.update(Album("a", notes: "long enough"))
      let file = try #require(store.object(of: Album.self, primary: "a").notes.path)
      try Data("x".utf8).write(to: file)
      let error = #expect(throws: MagicError.self) { try store.backup(to: copyPath) }
      #expect(error?.code == .cannotDecode)
      #expect(others == [])
      try store.backup(to: copyPath, allowsMissingAssets: true)
    }
    #expect(try withCopy { try $0.verify() }.findings.map(\.kind) == [.missingFile])
  }

  @Test func aFileThatIsTruncatedWhileItIsCopiedEndsTheBackup() throws {
    var options = MagicOptions()
    options.fileSystem = { root, durability in
      FaultyFileSystem(DiskFileSystem(root: root, durability: durability)) { operation, path in
        if operation == .open { truncate(root + "/" + path, 3) }
      }
    }
    try scratch.using(options) { store throws in
      try store.update(Album("a", notes: "long enough"))
      let error = #expect(throws: MagicError.self) { try store.backup(to: copyPath) }
      #expect(error?.code == .cannotDecode)
      #expect(others == [])
    }
  }

  @Test func aRowWithAnInvalidFileNameCopiesNothing() throws {
    try scratch.using { store throws in try store.update(Album("a", notes: "x")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      DROP TRIGGER "Album assets change";
      UPDATE "Album" SET "cover" = '../test.sqlite3';
      INSERT INTO magic_assets VALUES ('../../secret', 3)
      """)
    raw.close()
    try scratch.using { try $0.backup(to: copyPath) }
    let copied = try FileManager.default.subpathsOfDirectory(atPath: copyPath + "-assets")
    #expect(copied.filter { $0.contains("/") } == scratch.assetFiles)
  }

  @Test func filesRemovedMeanwhileAreCopiedAndRemovedAfterwards() throws {
    try scratch.using { store throws in
      try store.update(
        contentsOf: (0..<30).map { Album("\($0)", notes: String(repeating: "x", count: $0)) })
      let other = try MagicObjectStore.open(.file(scratch.file()))
      defer { other.close() }
      var isRemoved = false
      try store.backup(to: copyPath) { _ in
        guard !isRemoved else { return }
        isRemoved = true
        _ = try? other.removeAll(of: Album.self)
        #expect(scratch.assetFiles.count == 30)
      }
      #expect(isRemoved)
      #expect(scratch.assetFiles.isEmpty)
      #expect(try store.object(of: Album.self).isEmpty)
      #expect(try store.verify().findings == [])
    }
    try withCopy { copy throws in
      #expect(try copy.object(of: Album.self).count == 30)
      #expect(try copy.verify().findings == [])
    }
  }

  @Test func filesThatCouldNotBeRemovedAreRemovedWithTheNextCommit() throws {
    try scratch.using { store throws in
      let (first, second) = (Album("a", notes: "x"), Album("b", notes: "y"))
      try store.update(contentsOf: [first, second])
      // Like another process.
      let hold = try #require(try folder().lockForCopying())
      try store.remove(first)
      #expect(scratch.assetFiles.count == 2)
      hold.release()
      #expect(scratch.assetFiles.count == 2)
      second.year = 1999
      try store.update(second)
      #expect(scratch.assetFiles.count == 1)
      #expect(try second.notes.load() == "y")
    }
  }

  @Test func filesThatCouldNotBeRemovedAreRemovedOnCloseOrOpen() throws {
    let hold = try scratch.using { store throws in
      let albums = ["a", "b"].map { Album($0, notes: "x") }
      try store.update(contentsOf: albums)
      let hold = try #require(try folder().lockForCopying())
      try store.remove(albums[0])
      hold.release()
      let second = try #require(try folder().lockForCopying())
      second.release()
      return try #require(try folder().lockForCopying())
    }
    // The folder was held when the database was closed.
    #expect(scratch.assetFiles.count == 2)
    hold.release()
    try scratch.using { _ throws in
      #expect(scratch.assetFiles.count == 1)
    }
    try scratch.using { store throws in
      let held = try #require(try folder().lockForCopying())
      try store.remove(store.object(of: Album.self)[0])
      held.release()
      #expect(scratch.assetFiles.count == 1)
    }
    #expect(scratch.assetFiles.isEmpty)
  }

  @Test func theBackupWaitsForARemovalOfFiles() throws {
    try scratch.using { store throws in
      try store.update(Album("a", notes: "x"))
      let files = DiskFileSystem(root: scratch.assets, durability: .none)
      let lock = try #require(try files.lock("hold", isShared: false))
      let timer = DispatchQueue(label: "release")
      timer.asyncAfter(deadline: .now() + 0.2) { lock.release() }
      try store.backup(to: copyPath)
    }
    #expect(try withCopy { try $0.verify() }.findings == [])
  }

  @Test func aBackupThatWaitsTooLongIsRefusedAndLeavesNothing() throws {
    try scratch.using(MagicOptions(busyTimeout: 0.1)) { store throws in
      try store.update(Album("a", notes: "x"))
      let files = DiskFileSystem(root: scratch.assets, durability: .none)
      let lock = try #require(try files.lock("hold", isShared: false))
      expect(.busy) { try store.backup(to: copyPath) }
      lock.release()
    }
    #expect(others == [])
  }

  @Test(arguments: [
    FileError.Operation.makeDirectory, .create, .write, .sync, .syncDirectory, .rename,
  ])
  func aDiskErrorLeavesNoPartialBackup(operation: FileError.Operation) throws {
    let faults = Faults<FileError.Operation>()
    var options = MagicOptions()
    options.fileSystem = { root, durability in
      FaultyFileSystem(DiskFileSystem(root: root, durability: durability), faults: faults)
    }
    try scratch.using(options) { store throws in
      try store.update(contentsOf: ["a", "b"].map { Album($0, notes: "x") })
      faults.fail(operation, at: 1, with: ENOSPC, isLasting: true)
      expect(.diskFull) { try store.backup(to: copyPath) }
      faults.heal()
      #expect(others == [])
      try store.backup(to: copyPath)
    }
    #expect(try withCopy { try $0.verify() }.findings == [])
  }

  @Test func aFileThatCannotBeOpenedTemporarilyIsNeverOmitted() throws {
    let faults = Faults<FileError.Operation>()
    var options = MagicOptions()
    options.fileSystem = { root, durability in
      FaultyFileSystem(DiskFileSystem(root: root, durability: durability), faults: faults)
    }
    try scratch.using(options) { store throws in
      try store.update(Album("a", notes: "x"))
      faults.fail(.open, at: 1, with: EMFILE, isLasting: true)
      expect(.inputOutput) { try store.backup(to: copyPath, allowsMissingAssets: true) }
      #expect(others == [])
      expect(.inputOutput) { _ = try store.verify() }
    }
  }

  @Test func aCallFromTheProgressClosureOfABackupInMemoryIsRefused() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    try store.update(Album("a", notes: "x"))
    var codes: Set<MagicError.Code> = []
    try store.backup(to: copyPath) { _ in
      do {
        try store.update(Album("b"))
      } catch let error as MagicError {
        codes.insert(error.code)
      } catch {}
    }
    #expect(codes == [.nestedCall])
  }

  @Test func aHostileTableOfFilesIsAnErrorOrAFindingAndNotATrap() throws {
    try scratch.using { store throws in try store.update(Album("a")) }
    let raw = try scratch.raw()
    try raw.execute(
      """
      DROP TABLE magic_assets;
      CREATE TABLE magic_assets (other);
      INSERT INTO magic_asset_columns VALUES ('Album', 'year'), ('magic_assets', 'other')
      """)
    raw.close()
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.contains { $0.kind == .wrongCatalogue && $0.table == "magic_assets" })
      #expect(report.findings.contains { $0.kind == .noFileName && $0.column == "year" })
      #expect(report.findings.contains { $0.kind == .damage })
      #expect(throws: MagicError.self) { try store.backup(to: copyPath) }
    }
    #expect(others == [])
  }

  @Test func aNameWithAnImpossibleSizeIsAMissingFile() throws {
    try scratch.using { store throws in try store.update(Album("a", notes: "x")) }
    let name = "0123456789abcdef/0123456789abcdef-7fffffffffffffff"
    let raw = try scratch.raw()
    try raw.execute(
      """
      INSERT INTO magic_assets VALUES ('\(name)', 0), ('\(name.replacing("-7", with: "-6"))', 9);
      UPDATE "Album" SET "cover" = '\(name)'
      """)
    raw.close()
    try scratch.using { store throws in
      #expect(try store.verify().findings.map(\.kind) == [.missingFile, .wrongCount])
      expect(.assetMissing) { try store.backup(to: copyPath) }
      try store.backup(to: copyPath, allowsMissingAssets: true)
    }
  }

  @Test func aCancelledBackupLeavesNothing() async throws {
    let store = try scratch.open()
    let albums = (0..<50).map { number in
      let album = Album("\(number)")
      album.cover = .init(value: Data(count: 200_000))
      return album
    }
    _ = try await store.database.writing(isRepeatable: true) {
      try ObjectTransaction($0).save(albums, ObjectSchema.of(Album.self))
    }
    let (copyPath, cancelled) = (copyPath, DispatchSemaphore(value: 0))
    let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await MagicData(store: store).backup(to: copyPath) { progress in
        guard progress.filesDone == 3 else { return }
        hasBegun.yield()
        _ = cancelled.wait(timeout: .now() + 60)
      }
    }
    for await _ in begun { break }
    // The database, its files and the lock.
    #expect(others.count == 3)
    task.cancel()
    cancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(others == [])
    #expect(try await MagicData(store: store).verify(limit: 10).findings == [])
    store.close()
  }
}
