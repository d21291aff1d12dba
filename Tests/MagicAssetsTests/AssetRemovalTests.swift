import EngineConformance
import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import MagicTestSupport
import Testing

private struct Shop: MagicObject {
  @MagicValue var name: String = ""

  init() {}
}

/// Is deleted with its shop.
private struct Shelf: MagicObject {
  @MagicValue var plan: MagicAsset<String>
  @OptionMagicValue(.onDelete(.cascade)) var shop: Shop?

  init() { plan = .init() }
  init(_ plan: String, in shop: Shop?) {
    self.plan = .init(value: plan)
    self.shop = shop
  }
}

/// The deletion of a row, by any means, removes its files and no others.
@Suite struct AssetRemovalTests {
  let scratch = Scratch()

  @Test func aClosedDatabaseWithoutAssetsHasAnEmptyFolder() throws {
    for _ in 0..<2 {
      try scratch.using { store in
        let shelf = Shelf("a", in: nil)
        try store.update(shelf)
        try store.remove(shelf)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.assets) == [])
    }
    // The folder is no sign of a database that was lost.
    try FileManager.default.removeItem(atPath: scratch.file())
    try scratch.using { store throws in
      #expect(try store.object(of: Shelf.self).isEmpty)
    }
  }

  @Test func theLockOfACopyOutlivesTheDatabase() throws {
    let files = DiskFileSystem(root: scratch.assets, durability: .none)
    var lock: (any FileLock)?
    try scratch.using { store in
      let shelf = Shelf("a", in: nil)
      try store.update(shelf)
      lock = try files.lock("hold", isShared: true)
      try store.remove(shelf)
    }
    #expect(try files.lock("hold", isShared: false) == nil)
    lock?.release()
    // The next session removes what the copy has kept.
    try scratch.using { _ in }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.assets) == [])
  }

  @Test func aCascadeRemovesTheFilesOfAllDeletedRows() throws {
    try scratch.using { store in
      let shop = Shop()
      try store.update(contentsOf: [
        Shelf("a", in: shop), Shelf("b", in: shop), Shelf("c", in: nil),
      ])
      #expect(scratch.assetFiles.count == 3)
      try store.remove(shop)
      #expect(scratch.assetFiles.count == 1)
      let left = try store.object(of: Shelf.self).map { try $0.plan.load() }
      #expect(left == ["c"])
    }
  }

  @Test func filesOfATypeThatIsFirstUsedLaterAreRemovedToo() throws {
    try scratch.using { store in
      try store.update(Shop())
      let album = Album("a", notes: "n")
      try store.update(album)
      #expect(scratch.assetFiles.count == 1)
      try store.remove(album)
      #expect(scratch.assetFiles == [])
    }
  }

  @Test func removeAllRemovesAllFiles() throws {
    try scratch.using { store in
      try store.update(contentsOf: (0..<20).map { Album("\($0)", notes: "n\($0)") })
      try store.update(Shelf("stays", in: nil))
      #expect(scratch.assetFiles.count == 21)
      try store.removeAll(of: Album.self)
      #expect(scratch.assetFiles.count == 1)
    }
  }

  @Test func deletingBySQLRemovesTheFilesWithTheNextSave() throws {
    try scratch.using {
      try $0.update(contentsOf: [Album("a", notes: "1"), Album("b", notes: "2")])
    }
    let raw = try scratch.raw()
    try raw.execute("DELETE FROM Album WHERE name = 'a'")
    raw.close()
    #expect(scratch.assetFiles.count == 2)
    try scratch.using { _ in }
    #expect(scratch.assetFiles.count == 1)
  }

  @Test func replacingByAnotherProcessRemovesTheFileWhenTheDatabaseIsOpened() throws {
    try scratch.using {
      try $0.update(contentsOf: [Album("a", notes: "1"), Album("b", notes: "2")])
    }
    let raw = try scratch.raw()
    try raw.execute("UPDATE Album SET notes = (SELECT notes FROM Album WHERE name = 'b')")
    raw.close()
    try scratch.using { store in
      #expect(scratch.assetFiles.count == 1)
      let notes = try store.allNotes()
      #expect(notes == ["2", "2"])
    }
  }

  @Test func aRowCannotReferToAMissingFile() throws {
    try scratch.using { try $0.update(Album("a", notes: "1")) }
    let raw = try scratch.raw()
    for sql in [
      "UPDATE Album SET notes = 'nothing'", "UPDATE OR REPLACE Album SET notes = 'nothing'",
      "INSERT INTO Album (name, notes, cover, year) VALUES ('b', 'nothing', '', 1)",
      "INSERT OR IGNORE INTO Album (name, notes, cover, year) VALUES ('b', 'nothing', '', 1)",
      "INSERT OR REPLACE INTO Album (name, notes, cover, year) VALUES ('a', 'nothing', '', 1)",
    ] {
      #expect(throws: SQLiteError.self) { try raw.execute(sql) }
    }
    raw.close()
    try scratch.using { store in
      let notes = try store.allNotes()
      #expect(notes == ["1"])
    }
  }

  @Test func aRowThatIsReplacedByItsCopyKeepsItsFile() throws {
    try scratch.using { try $0.update(Album("a", notes: "1")) }
    let raw = try scratch.raw()
    try raw.execute("INSERT OR REPLACE INTO Album SELECT * FROM Album")
    #expect(try raw.integer("SELECT uses FROM magic_assets") == 1)
    raw.close()
    try scratch.using { store in
      let notes = try store.allNotes()
      #expect(notes == ["1"])
    }
  }

  @Test func aRemovedObjectThatWasFetchedHasNoValueToSaveAgain() throws {
    try scratch.using { store in
      try store.update(Album("a", notes: "1"))
      let fetched = try store.object(of: Album.self, primary: "a")
      try store.remove(fetched)
      expect(.assetMissing) { _ = try fetched.notes.load() }
      let error = #expect(throws: MagicError.self) { _ = try store.update(fetched) }
      #expect(error?.code == .assetMissing)
      #expect(error?.property == "notes")
      #expect(try store.object(of: Album.self).isEmpty)
      fetched.notes = .init(value: "2")
      try store.update(fetched)
      #expect(try store.notes("a") == "2")
    }
  }

  @Test func aRemovedObjectIsSavedAgainWithItsInitialValue() throws {
    try scratch.using { store in
      let album = Album("a", notes: "1")
      try store.update(album)
      try store.remove(album)
      #expect(scratch.assetFiles.isEmpty)
      #expect(album.notes.value == "1")
      try store.update(album)
      #expect(try store.notes("a") == "1")
      #expect(scratch.assetFiles.count == 1)
    }
  }

  @Test func filesOfRowsThatARollbackRestoresAreKept() throws {
    struct Stop: Error {}
    try scratch.using { store in
      let album = Album("a", notes: "1")
      try store.update(album)
      let files = scratch.assetFiles
      do {
        try store.transaction { transaction in
          try transaction.remove(album)
          try transaction.update(Album("b", notes: "2"))
          throw Stop()
        }
      } catch is Stop {}
      #expect(scratch.assetFiles == files)
      #expect(try store.notes("a") == "1")
    }
  }

  @Test func aTransactionReadsTheFilesThatItHasWritten() throws {
    try scratch.using { store in
      let notes = try store.transaction { transaction in
        try transaction.update(Album("a", notes: "1"))
        return try transaction.object(of: Album.self, primary: "a").notes.load()
      }
      #expect(notes == "1")
    }
  }

  @Test func aRolledBackSavepointLeavesNoFile() throws {
    struct Stop: Error {}
    try scratch.using { store in
      try store.transaction { transaction in
        try transaction.update(Album("a", notes: "1"))
        do {
          try transaction.transaction { inner in
            try inner.update(Album("b", notes: "2"))
            throw Stop()
          }
        } catch is Stop {}
        try transaction.update(Album("c", notes: "3"))
      }
      let notes = try store.allNotes()
      #expect(notes == ["1", "3"])
      #expect(scratch.assetFiles.count == 2)
    }
  }

  @Test func aValueThatIsReplacedWithinOneTransactionLeavesNoFile() throws {
    try scratch.using { store in
      try store.transaction { transaction in
        let album = Album("a", notes: "1")
        try transaction.update(album)
        album.notes = .init(value: "2")
        try transaction.update(album)
        try transaction.remove(album)
        try transaction.update(album)
      }
      #expect(try store.notes("a") == "2")
      #expect(scratch.assetFiles.count == 1)
    }
  }

  @Test func removedFilesAreDeletedFromTheTableOfFiles() throws {
    try scratch.using { store in
      let album = Album("a", notes: "0")
      for number in 1...200 {
        album.notes = .init(value: "\(number)")
        try store.update(album)
      }
    }
    let raw = try scratch.raw()
    #expect(try raw.integer("SELECT count(*) FROM magic_assets") == 1)
    #expect(scratch.assetFiles.count == 1)
  }
}
