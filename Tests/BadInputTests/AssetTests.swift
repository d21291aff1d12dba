import Foundation
import MagicData
import MagicFiles
import MagicSQLite
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Asset files that are missing or truncated, failing folders, file names outside of the folder.
@Suite struct AssetTests {
  let scratch = Scratch()

  /// Saves two photos, damages the file of the first, and expects that only this picture cannot be
  /// read.
  private func expectUnreadable(
    _ code: MagicError.Code, as kind: MagicFinding.Kind, after damage: (URL) throws -> Void,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    try await scratch.using { magic async throws in
      let (first, second) = (Photo("a", "picture"), Photo("b", "other"))
      first.caption = .init(value: "caption")
      try await magic.update(contentsOf: [first, second])
      try damage(try #require(first.picture.path))

      let photo = try await magic.object(of: Photo.self, primary: "a")
      #expect(photo.picture.value == nil, sourceLocation: location)
      let error = await expect(code, at: location) { _ = try photo.picture.load() }
      #expect(error?.type == "Photo", sourceLocation: location)
      #expect(error?.property == "picture", sourceLocation: location)
      #expect(photo.year == 2000, sourceLocation: location)
      #expect(photo.caption?.value == "caption", sourceLocation: location)
      #expect(try await magic.pictures()["b"] == "other", sourceLocation: location)
      let found = try await magic.verify().findings.filter { $0.kind == kind }
      #expect(found.map(\.zIndex) == [photo.zIndex], sourceLocation: location)
      #expect(found.map(\.column) == ["picture"], sourceLocation: location)

      // Saving the owner changes neither the reference nor the file.
      photo.year = 1971
      let path = photo.picture.path
      try await magic.update(photo)
      let again = try await magic.object(of: Photo.self, primary: "a")
      #expect(again.year == 1971, sourceLocation: location)
      #expect(again.picture.path == path, sourceLocation: location)
      again.picture = .init(value: Data("mended".utf8))
      try await magic.update(again)
    }
    try await scratch.using { magic async throws in
      #expect(
        try await magic.pictures() == ["a": "mended", "b": "other"], sourceLocation: location)
    }
  }

  @Test func aDeletedFileIsReportedMissingAndOtherValuesAreRead() async throws {
    try await expectUnreadable(.assetMissing, as: .missingFile) {
      try FileManager.default.removeItem(at: $0)
    }
  }

  @Test func aTruncatedFileIsNotReadInPart() async throws {
    try await expectUnreadable(.cannotDecode, as: .wrongSize) {
      let handle = try FileHandle(forWritingTo: $0)
      try handle.truncate(atOffset: 3)
      try handle.close()
    }
  }

  @Test func aSymbolicLinkInPlaceOfAFileIsNotFollowed() async throws {
    let secret = scratch.file("secret")
    try Data("secret!".utf8).write(to: URL(fileURLWithPath: secret))
    try await expectUnreadable(.assetMissing, as: .missingFile) {
      try FileManager.default.removeItem(at: $0)
      try FileManager.default.createSymbolicLink(
        atPath: $0.path, withDestinationPath: secret)
    }
    #expect(FileManager.default.contents(atPath: secret) == Data("secret!".utf8))
  }

  @Test func aSymbolicLinkInPlaceOfADirectoryIsNotFollowed() async throws {
    let elsewhere = scratch.file("elsewhere")
    try await scratch.using { magic async throws in
      let photo = Photo("a", "picture")
      try await magic.update(photo)
      let batch = try #require(photo.picture.path).deletingLastPathComponent()
      try FileManager.default.moveItem(atPath: batch.path, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: batch.path, withDestinationPath: elsewhere)
      let before = scratch.contentsWithoutEmptyLogs

      let kept = try await magic.object(of: Photo.self, primary: "a")
      await expect(.assetMissing) { _ = try kept.picture.load() }
      #expect(try await magic.verify().findings.contains { $0.kind == .missingFile })
      let other = Photo("b", "other")
      await expect(.inputOutput) { try await magic.update(other) }
      #expect(other.zIndex == nil)
      try await magic.remove(kept)
      #expect(
        scratch.contentsWithoutEmptyLogs.filter { $0.key.hasPrefix("elsewhere") }
          == before.filter { $0.key.hasPrefix("elsewhere") })
    }
    try await scratch.using { magic async throws in
      try await magic.update(Photo("b", "other"))
      #expect(try await magic.pictures() == ["b": "other"])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).count == 1)
  }

  @Test func aDeletedFolderFailsTheSaveAndIsRecreatedByTheNextOpen() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Photo("a", "picture"))
      try FileManager.default.removeItem(atPath: scratch.assets)
      let photo = Photo("b", "other")
      await expect(.inputOutput) {
        try await magic.transaction {
          try $0.update(Note("new"))
          try $0.update(photo)
        }
      }
      #expect(photo.zIndex == nil)
      #expect(try await magic.texts().isEmpty)
      let kept = try await magic.object(of: Photo.self, primary: "a")
      await expect(.assetMissing) { _ = try kept.picture.load() }
      try await magic.update(Note("b"))
    }
    try await scratch.using { magic async throws in
      try await magic.update(Photo("b", "other"))
      #expect(try await magic.pictures() == ["a": nil, "b": "other"])
      #expect(try await magic.texts() == ["b"])
    }
  }

  @Test(arguments: [
    (FileError.Operation.create, EROFS, MagicError.Code.readOnly), (.write, ENOSPC, .diskFull),
    (.write, EIO, .inputOutput), (.sync, EIO, .inputOutput), (.rename, EIO, .inputOutput),
    (.syncDirectory, EIO, .inputOutput),
  ])
  func aFileThatCannotBeWrittenCompletelyFailsItsTransaction(
    operation: FileError.Operation, number: Int32, code: MagicError.Code
  ) async throws {
    let files = Files()
    var options = MagicOptions()
    options.fileSystem = { path, durability in
      files.made(FaultyFileSystem(DiskFileSystem(root: path, durability: durability)))
    }
    let magic = MagicData(store: try MagicObjectStore.open(.file(scratch.file()), options: options))
    let kept = Photo("kept", "old")
    try await magic.update(kept)
    let before = scratch.assetFiles
    let faulty = try #require(files.last)

    faulty.fail(operation, with: number, isLasting: true)
    kept.picture = .init(value: Data("new".utf8))
    await expect(code) {
      try await magic.transaction {
        try $0.update(Note("new"))
        try $0.update(kept)
        try $0.update(Photo("b", "other"))
      }
    }
    #expect(try await magic.texts().isEmpty)
    #expect(try await magic.pictures() == ["kept": "old"])
    faulty.heal()
    #expect(before.allSatisfy { scratch.assetFiles.contains($0) })

    try await magic.update(kept)
    #expect(try await magic.pictures() == ["kept": "new"])
    await magic.close()
    try await scratch.using { magic async throws in
      #expect(try await magic.pictures() == ["kept": "new"])
      #expect(try await magic.verify().findings == [])
    }
    #expect(scratch.assetFiles.count == 1)
  }

  private final class Files: @unchecked Sendable {
    private(set) var last: FaultyFileSystem?

    func made(_ files: FaultyFileSystem) -> FaultyFileSystem {
      last = files
      return files
    }
  }

  @Test func aProcessThatExitsInATransactionLeavesNoUnmatchedRowOrFile() async throws {
    try await scratch.using { magic async throws in try await magic.update(Photo("a", "picture")) }
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      try await magic.transaction {
        try $0.update(Photo("b", "other"))
        _exit(0)
      }
    }
    #expect(scratch.assetFiles.count == 2)
    try await scratch.using { magic async throws in
      #expect(try await magic.pictures() == ["a": "picture"])
      #expect(try await magic.verify().findings == [])
    }
    #expect(scratch.assetFiles.count == 1)
  }

  @Test(arguments: [
    "../x", "/etc/passwd", "a/../../x", "a/b", "a\0b", "\0", "", ".", "..", ".hidden", "a..b", " ",
    "a b", "é", "txt\n", "🦊", String(repeating: "x", count: 33), String(repeating: "x", count: 300),
  ])
  func anUnsafePathExtensionIsRefusedAndNothingIsWritten(text: String) async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Photo("a", "picture"))
      let before = scratch.assetFiles
      let photo = Photo("b", "other")
      photo.picture = .init(value: Data("x".utf8), pathExtension: text)
      let error = await expect(.cannotEncode) { try await magic.update(photo) }
      #expect(error?.property == "picture")
      #expect(photo.zIndex == nil)
      let source = scratch.file("source")
      try Data("y".utf8).write(to: URL(fileURLWithPath: source))
      await expect(.cannotEncode) {
        _ = try await magic.asset(
          of: Data.self, contentsOf: URL(fileURLWithPath: source), pathExtension: text)
      }
      #expect(scratch.assetFiles == before)
      #expect(
        scratch.contentsWithoutEmptyLogs.keys.allSatisfy {
          $0.hasPrefix("test.sqlite3") || $0 == "source"
        })
      photo.picture = .init(value: Data("x".utf8), pathExtension: "a.B-9_")
      try await magic.update(photo)
      #expect(try await magic.pictures() == ["a": "picture", "b": "x"])
    }
  }

  @Test(arguments: ["../../secret", "/etc/passwd", "x", "0/1", "a\0b", "../test.sqlite3"])
  func aRowWithAForeignFileNameReadsNoFileAndItsRemovalDeletesNoFile(name: String) async throws {
    try Data("secret".utf8).write(to: URL(fileURLWithPath: scratch.file("secret")))
    try await scratch.using { magic async throws in
      try await magic.update(Photo("a", "picture"))
      let raw = try scratch.raw()
      try raw.execute("DROP TRIGGER \"Photo assets change\"")
      let update = try raw.prepare("UPDATE Photo SET picture = ?")
      try update.bind(name, at: 1)
      try update.run()
      raw.close()

      let photo = try await magic.object(of: Photo.self, primary: "a")
      #expect(photo.picture.path == nil)
      await expect(.cannotDecode) { _ = try photo.picture.load() }
      #expect(try await magic.verify().findings.contains { $0.kind == .noFileName })
      photo.year = 1
      try await magic.update(photo)
      try await magic.remove(photo)
    }
    #expect(
      FileManager.default.contents(atPath: scratch.file("secret")) == Data("secret".utf8))
    #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    #expect(FileManager.default.fileExists(atPath: scratch.file()))
  }
}
