import EngineConformance
import Foundation
import MagicAssets
import MagicFiles
import MagicTestSupport
import SQLiteStore
import Testing

/// A file system that fails: after each fault all or nothing is stored, no unreferenced file
/// remains, and the next save works.
@Suite struct AssetFaultTests {
  let scratch = Scratch()

  /// Opens a database whose folder fails at a chosen operation.
  private func withFaults(
    _ body: (MagicObjectStore, FaultyFileSystem) throws -> Void
  ) throws {
    let box = Box()
    var options = MagicOptions()
    options.fileSystem = { path, durability in
      let files = FaultyFileSystem(DiskFileSystem(root: path, durability: durability))
      box.files = files
      return files
    }
    try scratch.using(options) { store in
      try body(store, #require(box.files))
    }
  }

  private final class Box: @unchecked Sendable {
    var files: FaultyFileSystem?
  }

  /// A save of a changed and a new album, of which an operation fails.
  private func saveWithFault(
    _ operation: FileError.Operation?, at position: Int, _ number: Int32 = EIO
  ) throws -> MagicError? {
    var error: MagicError?
    try withFaults { store, files in
      try store.removeAll(of: Album.self)
      let album = Album("a", notes: "old")
      try store.update(album)
      let before = scratch.assetFiles
      files.fail(operation, at: position, with: number)
      album.notes = .init(value: "new")
      let other = Album("b", notes: "other")
      do {
        try store.update(contentsOf: [album, other])
      } catch let thrown as MagicError {
        error = thrown
        #expect(scratch.assetFiles.filter { !$0.hasSuffix("~") } == before)
        #expect(album.notes.value == "new")
        #expect(other.zIndex == nil)
      }
      files.heal()
      #expect(try store.allNotes() == (error == nil ? ["new", "other"] : ["old"]))
      try store.update(contentsOf: [album, other])
      #expect(try store.allNotes() == ["new", "other"])
    }
    // Files that could not be removed are removed when the database is opened again.
    let notes = try scratch.using { store in try store.allNotes() }
    #expect(notes == ["new", "other"])
    #expect(scratch.assetFiles.count == 2)
    return error
  }

  @Test(arguments: [
    FileError.Operation.create, .write, .close, .sync, .rename, .syncDirectory, .remove, .lock,
  ])
  func everyOperationMayFail(_ operation: FileError.Operation) throws {
    for position in 1...3 { _ = try saveWithFault(operation, at: position) }
  }

  @Test func everyStepOfASaveMayFail() throws {
    for position in 1...24 { _ = try saveWithFault(nil, at: position) }
  }

  @Test func aFullDiskIsReported() throws {
    #expect(try saveWithFault(.write, at: 1, ENOSPC)?.code == .diskFull)
    #expect(try saveWithFault(.create, at: 2, EDQUOT)?.code == .diskFull)
    #expect(try saveWithFault(.sync, at: 1, ENOSPC)?.code == .diskFull)
  }

  @Test(arguments: [ENOLCK, ENOSYS, EOPNOTSUPP])
  func aFileSystemWithoutLocksIsReported(_ number: Int32) throws {
    try withFaults { store, files in
      files.fail(.lock, with: number)
      let album = Album("a", notes: "1")
      expect(.noLocks) { try store.update(album) }
      #expect(album.zIndex == nil)
      files.heal()
      try store.update(album)
      #expect(try store.allNotes() == ["1"])
    }
  }

  @Test func theErrorNamesAFolderThatCannotBeWritten() throws {
    let error = try saveWithFault(.create, at: 1, EROFS)
    #expect(error?.code == .readOnly)
    #expect(error?.type == "Album")
    #expect(error?.property == "notes")
  }

  @Test func anUnreadableFileIsAnInputOutputError() throws {
    try withFaults { store, files in
      try store.update(Album("a", notes: "1"))
      let album = try store.object(of: Album.self, primary: "a")
      files.fail(.open, with: EACCES)
      expect(.inputOutput) { _ = try album.notes.load() }
      files.fail(.read, with: EIO)
      expect(.inputOutput) { _ = try album.notes.load() }
      #expect(try album.notes.load() == "1")
    }
  }

  @Test func aSaveThatFailsInSQLiteLeavesNoFile() throws {
    try withFaults { store, _ in
      let first = Unique("same")
      try store.update(first)
      expect(.notUnique) { _ = try store.update(Unique("same")) }
      #expect(scratch.assetFiles.count == 1)
    }
  }

  @Test func filesOfATransactionAreSyncedBeforeTheirRowsAreWritten() throws {
    try withFaults { store, files in
      try store.update(contentsOf: [Album("a", notes: "1"), Album("b", notes: "2")])
      let steps = files.steps
      let renamings = steps.indices.filter { steps[$0].operation == .rename }
      #expect(renamings.count == 2)
      for index in renamings {
        #expect(
          steps[..<index].contains { $0.operation == .sync && $0.path == steps[index].path })
      }
      let last = try #require(renamings.last)
      #expect(steps[last...].contains { $0.operation == .syncDirectory })
    }
  }
}

private struct Unique: MagicObject {
  @MagicValue(.unique) var name: String = ""
  @MagicValue var file: MagicAsset<String> = .init(value: "x")

  init() {}
  init(_ name: String) { self.name = name }
}
