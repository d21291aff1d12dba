import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Database files that are missing, moved, replaced or linked.
@Suite struct MissingFileTests {
  let scratch = Scratch()

  @Test func anEmptyFileNextToALogIsALostDatabase() async throws {
    try scratch.write(Data())
    try scratch.write(Data(repeating: 7, count: 5_000), "test.sqlite3-wal")
    await scratch.expectRefusal(.lostDatabase)
  }

  @Test func anEmptyFileNextToItsAssetsIsALostDatabase() async throws {
    try await scratch.using { try await $0.update(Photo("a", "picture")) }
    let whole = try scratch.damage { $0.removeAll() }
    await scratch.expectRefusal(.lostDatabase)
    try scratch.write(whole)
    try await scratch.using { magic async throws in
      #expect(try await magic.pictures() == ["a": "picture"])
    }
  }

  @Test func aMissingFileNextToItsAssetsIsALostDatabase() async throws {
    try await scratch.using { try await $0.update(Photo("a", "picture")) }
    try FileManager.default.removeItem(at: scratch.url())
    let before = scratch.contentsWithoutEmptyLogs
    await expect(.lostDatabase) { _ = try await MagicData(path: scratch.file()) }
    #expect(scratch.contentsWithoutEmptyLogs == before)
  }

  @Test func anEmptyFileWithoutOtherFilesIsANewDatabase() async throws {
    try scratch.write(Data())
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      #expect(try await magic.texts() == ["a"])
    }
  }

  @Test func aDirectoryInPlaceOfTheFileIsRefused() async throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("folder/default.sqlite3"), withIntermediateDirectories: true)
    let before = scratch.contentsWithoutEmptyLogs
    for readOnly in [false, true] {
      await expect(.cannotOpen) {
        _ = try await MagicData(
          path: scratch.file("folder"), options: MagicOptions(readOnly: readOnly))
      }
    }
    #expect(scratch.contentsWithoutEmptyLogs == before)
  }

  @Test func aReadOnlyOpenCreatesNeitherFileNorDirectory() async throws {
    await expect(.cannotOpen) {
      _ = try await MagicData(
        path: scratch.file("missing/test.sqlite3"), options: MagicOptions(readOnly: true))
    }
    #expect(scratch.contentsWithoutEmptyLogs.isEmpty)
  }

  @Test(arguments: [MagicOptions.Durability.normal, .full])
  func aMovedFileIsNotWrittenUntilItIsMovedBack(durability: MagicOptions.Durability) async throws {
    try await scratch.using(MagicOptions(durability: durability)) { magic async throws in
      try await magic.update(Photo("a", "picture"))
      let note = Note("a")
      try await magic.update(note)
      let files = scratch.assetFiles
      let moved = scratch.file("moved.sqlite3")
      try FileManager.default.moveItem(atPath: scratch.file(), toPath: moved)
      note.text = "b"
      let photo = Photo("b", "other")
      let more: [@Sendable () async throws -> Void] = [
        { try await magic.update(note) }, { try await magic.remove(note) },
        { try await magic.update(photo) },
      ]
      for write in writes(of: magic) + more { await expect(.fileMoved) { try await write() } }
      #expect(photo.zIndex == nil)
      #expect(scratch.assetFiles == files)
      #expect(!FileManager.default.fileExists(atPath: scratch.file()))

      try FileManager.default.moveItem(atPath: moved, toPath: scratch.file())
      try await magic.update(note)
      try await magic.update(photo)
    }
    try await scratch.using { magic async throws in
      #expect(try await magic.texts() == ["b"])
      #expect(try await magic.pictures() == ["a": "picture", "b": "other"])
    }
  }

  @Test func aDeletedFileRefusesWritesAndIsNotRecreated() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("a"))
    try FileManager.default.removeItem(at: scratch.url())
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    await magic.close()
    #expect(!FileManager.default.fileExists(atPath: scratch.file()))
  }

  @Test func aReplacementOfTheFileIsNeitherWrittenNorRead() async throws {
    let other = try await MagicData(path: scratch.file("other.sqlite3"))
    try await other.update(contentsOf: ["x", "y", "z"].map { Note($0) })
    await other.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file("other.sqlite3")))
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("mine"))
    try FileManager.default.removeItem(at: scratch.url())
    try FileManager.default.moveItem(
      atPath: scratch.file("other.sqlite3"), toPath: scratch.file())
    for write in writes(of: magic) { await expect(.fileMoved) { try await write() } }
    // A read returns objects of the database that was opened, or throws.
    do {
      #expect(try await magic.texts() == ["mine"])
    } catch let error as MagicError {
      #expect(error.code == .fileMoved)
    }
    await magic.close()
    #expect(try Data(contentsOf: scratch.url()) == bytes)
  }

  @Test func aFileWithASecondNameIsRefused() async throws {
    try await scratch.using { try await $0.update(Note("a")) }
    let second = scratch.file("second.sqlite3")
    try FileManager.default.linkItem(atPath: scratch.file(), toPath: second)
    await scratch.expectRefusal(.cannotOpen)
    await expect(.cannotOpen) { _ = try await MagicData(path: second) }
    try FileManager.default.removeItem(atPath: second)
    #expect(try await scratch.using { try await $0.texts() } == ["a"])
  }

  @Test func anAssetFolderMayBeASymbolicLink() async throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.assets, withDestinationPath: scratch.file("elsewhere"))
    try await scratch.using { try await $0.update(Photo("a", "picture")) }
    #expect(try await scratch.using { try await $0.pictures() } == ["a": "picture"])
    // A folder with files shows that there was a database.
    try FileManager.default.removeItem(at: scratch.url())
    await expect(.lostDatabase) { _ = try await MagicData(path: scratch.file()) }
    // A link without a target does not.
    try FileManager.default.removeItem(atPath: scratch.file("elsewhere"))
    try await scratch.using { try await $0.update(Note("a")) }
  }

  @Test func noFileIsCreatedNextToASymbolicLink() async throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("links"), withIntermediateDirectories: true)
    try await scratch.using { try await $0.update(Note("a")) }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("links/link"), withDestinationPath: scratch.file())
    let magic = try await MagicData(path: scratch.file("links/link"))
    try await magic.update(Photo("a", "picture"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("links")) == ["link"])
    #expect(FileManager.default.fileExists(atPath: scratch.file("test.sqlite3-wal")))
    await magic.close()
    try await scratch.using { magic async throws in
      #expect(try await magic.pictures() == ["a": "picture"])
    }
  }
}
