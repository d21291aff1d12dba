import EngineConformance
import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import MagicTestSupport
import SQLiteStore
import Testing

@Suite struct AssetFolderStoreTests {
  let scratch = Scratch()

  @Test func databaseAndFolderCanBeMovedTogether() throws {
    try scratch.using { try $0.update(Album("a", notes: "1")) }
    let moved = scratch.file("moved.db")
    try FileManager.default.moveItem(atPath: scratch.file(), toPath: moved)
    try FileManager.default.moveItem(atPath: scratch.assets, toPath: moved + "-assets")
    let store = try MagicObjectStore.open(.file(moved))
    defer { store.close() }
    let album = try store.object(of: Album.self, primary: "a")
    #expect(try album.notes.load() == "1")
    #expect(album.notes.path?.path.hasPrefix(moved) == true)
  }

  @Test func theNamesOfAllSideFilesBeginWithTheNameOfTheDatabase() throws {
    try scratch.using { store in
      try store.update(Album("a", notes: "1"))
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
      #expect(names.allSatisfy { $0.hasPrefix("test.sqlite3") })
    }
  }

  @Test func aDatabaseWithoutAssetsHasNoFolder() throws {
    try scratch.using { try $0.update(Album("a")) }
    #expect(!FileManager.default.fileExists(atPath: scratch.assets))
  }

  @Test func onlyTheOwnerCanAccessAssetFiles() throws {
    try scratch.using { store in
      let album = Album("a", notes: "1")
      try store.update(album)
      let file = try #require(album.notes.path)
      for (path, permissions) in [
        (file.path, 0o600), (file.deletingLastPathComponent().path, 0o700), (scratch.assets, 0o700),
      ] {
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(found as? Int == permissions)
      }
    }
  }

  @Test(arguments: [MagicStoreLocation.memory, .temporary])
  func aPrivateDatabaseRemovesItsAssets(_ location: MagicStoreLocation) throws {
    let store = try MagicObjectStore.open(location)
    let album = Album("a", notes: "1")
    try store.update(album)
    let path = try #require(album.notes.path)
    #expect(try store.notes("a") == "1")
    #expect(FileManager.default.fileExists(atPath: path.path))
    store.close()
    #expect(!FileManager.default.fileExists(atPath: path.path))
    let root = path.deletingLastPathComponent().deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: root.path))
  }

  @Test func afterClosingTheErrorOfAnAssetIsClosed() throws {
    let album = try scratch.using { store in
      try store.update(Album("a", notes: "1"))
      return try store.object(of: Album.self, primary: "a")
    }
    expect(.closed) { _ = try album.notes.load() }
    #expect(album.notes.value == nil)
    #expect(album.notes.path == nil)
  }

  @Test func anObjectIsSavedToAnotherDatabaseWithAllItsFiles() throws {
    let other = Scratch()
    try scratch.using { first in
      try first.update(Album("a", notes: "1"))
      let album = try first.object(of: Album.self, primary: "a")
      try other.using { second in
        try second.update(album)
        #expect(other.assetFiles.count == 1)
        #expect(album.notes.path?.path.hasPrefix(other.path) == true)
        #expect(try second.object(of: Album.self, primary: "a").notes.path?.pathExtension == "txt")
        try first.removeAll(of: Album.self)
        #expect(try album.notes.load() == "1")
        #expect(try second.notes("a") == "1")
      }
    }
    #expect(scratch.assetFiles.isEmpty)
  }

  @Test func onlyLeftoversAreSweptAtTheNextOpen() throws {
    let album = Album("a", notes: "1")
    try scratch.using { try $0.update(album) }
    let kept = scratch.assetFiles
    let batch = try #require(kept.first?.split(separator: "/").first.map(String.init))
    func put(_ name: String) throws {
      let path = scratch.assets + "/" + name
      try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    }
    // The state after a process ended during a save.
    try put(batch + ".open")
    try put(batch + "/0123456789abcdef-1")
    try put(batch + "/0123456789abcdef-1.txt")
    try put(batch + "/0123456789abcdef~")
    // Not a file of the library.
    try put(batch + "/notes.txt")
    try put("README")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.assets + "/" + batch + "/fedcba9876543210-1", withDestinationPath: "README")
    try scratch.using { store in
      let notes = try store.allNotes()
      #expect(notes == ["1"])
    }
    #expect(
      scratch.assetFiles
        == (kept + [batch + "/notes.txt", batch + "/fedcba9876543210-1"]).sorted())
    #expect(FileManager.default.fileExists(atPath: scratch.assets + "/README"))
    #expect(!FileManager.default.fileExists(atPath: scratch.assets + "/" + batch + ".open"))
  }

  @Test func aReadOnlyDatabaseReadsItsAssetsAndSweepsNothing() throws {
    try scratch.using { try $0.update(Album("a", notes: "1")) }
    let before = scratch.assetFiles
    try scratch.using(MagicOptions(readOnly: true)) { store in
      let notes = try store.allNotes()
      #expect(notes == ["1"])
      expect(.readOnly) { _ = try store.update(Album("b", notes: "2")) }
    }
    #expect(scratch.assetFiles == before)
  }

  @Test func anEmptyFileWithAFolderOfAssetsIsALostDatabase() throws {
    try scratch.using { try $0.update(Album("a", notes: "1")) }
    try Data().write(to: URL(fileURLWithPath: scratch.file()))
    expect(.lostDatabase) { try scratch.open().close() }
    #expect(scratch.assetFiles.count == 1)
  }

  @Test func thousandsOfAssetsDoNotShareOneDirectory() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try store.update(contentsOf: (0..<2_500).map { Album("\($0)", notes: "\($0)") })
    }
    let batches = Set(scratch.assetFiles.map { $0.split(separator: "/")[0] })
    #expect(batches.count == 3)
    try scratch.using { store in
      let albums = try store.object(of: Album.self)
      let areWhole = try albums.allSatisfy { try $0.notes.load() == $0.name }
      #expect(areWhole)
    }
  }
}
