import EngineConformance
import Foundation
import MagicAssets
import MagicSQLite
import MagicTestSupport
import Testing

/// Asset folders that another program has changed.
@Suite struct DamagedAssetTests {
  let scratch = Scratch()

  /// Saves an album, damages the file of its notes, and fetches it again.
  private func afterDamage(
    _ damage: (URL) throws -> Void, _ body: (MagicObjectStore, Album) throws -> Void
  ) throws {
    try scratch.using { store in
      let album = Album("Blue", notes: "recorded in 1971")
      try store.update(album)
      try damage(#require(album.notes.path))
      try body(store, store.object(of: Album.self, primary: "Blue"))
    }
  }

  private func expectUnreadable(
    _ code: MagicError.Code, after damage: (URL) throws -> Void,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try afterDamage(damage) { store, album in
      #expect(album.notes.value == nil, sourceLocation: location)
      let error = #expect(throws: MagicError.self, sourceLocation: location) {
        _ = try album.notes.load()
      }
      #expect(error?.code == code, sourceLocation: location)
      #expect(error?.type == "Album", sourceLocation: location)
      #expect(error?.property == "notes", sourceLocation: location)
      #expect(album.year == 2000, sourceLocation: location)
      // The owner is saved, its row still refers to the file.
      let path = album.notes.path
      album.year = 1971
      try store.update(album)
      let again = try store.object(of: Album.self, primary: "Blue")
      #expect(again.year == 1971, sourceLocation: location)
      #expect(again.notes.path == path, sourceLocation: location)
      // It can also have another value.
      again.notes = .init(value: "new")
      try store.update(again)
      #expect(try store.notes("Blue") == "new")
    }
  }

  @Test func aRemovedFileIsMissing() throws {
    try expectUnreadable(.assetMissing) { try FileManager.default.removeItem(at: $0) }
  }

  @Test func aTruncatedFileIsNotRead() throws {
    try expectUnreadable(.cannotDecode) { file in
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 5)
      try handle.close()
    }
  }

  @Test func aFileThatHasGrownIsNotRead() throws {
    try expectUnreadable(.cannotDecode) { file in
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("more".utf8))
      try handle.close()
    }
  }

  @Test func aSymbolicLinkInPlaceOfAFileIsNeitherFollowedNorRemoved() throws {
    let secret = scratch.file("secret")
    try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: secret))
    try expectUnreadable(.assetMissing) { file in
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: secret)
    }
    #expect(FileManager.default.contents(atPath: secret)?.count == 16)
  }

  @Test func aDirectoryInPlaceOfAFileCountsAsMissingAndIsKept() throws {
    var place: URL?
    try expectUnreadable(.assetMissing) { file in
      place = file
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
    #expect(FileManager.default.fileExists(atPath: try #require(place).path))
  }

  @Test func aRemovedFolderIsMissingForReadsAndAnErrorForWrites() throws {
    try scratch.using { store in
      try store.update(Album("Blue", notes: "a"))
      try FileManager.default.removeItem(atPath: scratch.assets)
      let album = try store.object(of: Album.self, primary: "Blue")
      expect(.assetMissing) { _ = try album.notes.load() }
      let error = #expect(throws: MagicError.self) {
        _ = try store.update(Album("Red", notes: "b"))
      }
      #expect(error?.code == .inputOutput)
      #expect(try !store.has(of: Album.self, primary: "Red"))
      try store.update(Album("Green"))
      try store.remove(album)
      #expect(try store.object(of: Album.self).map(\.name) == ["Green"])
    }
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func aFolderWithoutWritePermissionIsReadOnly() throws {
    try scratch.using { try $0.update(Album("Blue", notes: "a")) }
    let batches = try FileManager.default.contentsOfDirectory(atPath: scratch.assets)
    let folders = [scratch.assets] + batches.map { scratch.assets + "/" + $0 }
    for folder in folders {
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    }
    defer {
      for folder in folders {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      }
    }
    try scratch.using { store in
      expect(.readOnly) { _ = try store.update(Album("Red", notes: "b")) }
      let notes = try store.notes("Blue")
      #expect(notes == "a")
    }
  }

  @Test(arguments: ["../../secret", "/etc/passwd", "x", "0/1", "a\0b"])
  func aRowWithAnInvalidFileNameReadsNothing(_ name: String) throws {
    try Data("0123456789abcdef".utf8).write(to: URL(fileURLWithPath: scratch.file("secret")))
    try scratch.using { try $0.update(Album("Blue", notes: "a")) }
    let raw = try scratch.raw()
    try raw.execute("DROP TRIGGER \"Album assets change\"")
    let update = try raw.prepare("UPDATE Album SET notes = ?")
    try update.bind(name, at: 1)
    try update.run()
    raw.close()
    try scratch.using { store in
      let album = try store.object(of: Album.self, primary: "Blue")
      #expect(album.notes.path == nil)
      expect(.cannotDecode) { _ = try album.notes.load() }
      album.year = 1
      try store.update(album)
      try store.remove(album)
    }
    #expect(FileManager.default.fileExists(atPath: scratch.file("secret")))
  }
}
