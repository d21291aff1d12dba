import EngineConformance
import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import MagicTestSupport
import SQLiteEngine
import SQLiteStore
import Testing

/// A repair of the tables of files of a database.
@Suite struct RepairingAssetsTests {
  let scratch = Scratch()

  /// A database with two albums and a third that refers to the notes of one, and their file names.
  private func makeAlbums() throws -> [String] {
    try scratch.using { store throws in
      let albums = ["a", "b", "c"].map { Album($0, notes: "notes of \($0)") }
      albums[2].notes = albums[1].notes
      try store.update(contentsOf: albums)
    }
    return scratch.assetFiles
  }

  private func rows(_ sql: String) throws -> [[String]] {
    let raw = try scratch.raw()
    defer { raw.close() }
    return try raw.rows(sql)
  }

  /// Expects that the counts are those of the rows, and that every file exists and is removed with
  /// the last row that refers to it.
  private func expectWhole(at location: SourceLocation = #_sourceLocation) throws {
    let counts = try rows("SELECT uses FROM magic_assets WHERE uses > 0 ORDER BY uses")
    #expect(counts == [["1"], ["2"]], sourceLocation: location)
    try scratch.using { store throws in
      #expect(try store.verify().findings == [], sourceLocation: location)
      #expect(try store.repair().findings == [], sourceLocation: location)
      #expect(
        try store.allNotes() == ["notes of a", "notes of b", "notes of b"],
        sourceLocation: location)
      let albums = try store.object(of: Album.self)
      try store.remove(contentsOf: albums[...1])
      #expect(scratch.assetFiles.count == 1, sourceLocation: location)
      #expect(try store.allNotes() == ["notes of b"], sourceLocation: location)
      try store.remove(albums[2])
      #expect(scratch.assetFiles == [], sourceLocation: location)
    }
  }

  @Test func aSoundDatabaseIsNotChanged() throws {
    _ = try makeAlbums()
    let before = try DatabaseDump(of: scratch.file())
    try scratch.using { store throws in
      let report = try store.repair()
      #expect(report.findings == [])
      #expect(report.isComplete)
      #expect(report.description == "no faults")
    }
    #expect(try DatabaseDump(of: scratch.file()).differences(from: before) == [])
    try expectWhole()
  }

  @Test(arguments: [
    "UPDATE magic_assets SET uses = 0", "UPDATE magic_assets SET uses = -1",
    "UPDATE magic_assets SET uses = -5", "UPDATE magic_assets SET uses = 9",
    "UPDATE magic_assets SET uses = 1", "UPDATE magic_assets SET uses = 1.5",
    "UPDATE magic_assets SET uses = 'many'", "DELETE FROM magic_assets",
  ])
  func countsAreCorrectedFromTheRows(_ sql: String) throws {
    _ = try makeAlbums()
    try scratch.using { store throws in
      try scratch.change(sql)
      let found = try store.verify()
      #expect(!found.isSound)
      #expect(found.findings.allSatisfy { $0.kind == .wrongCount })
      #expect(try store.repair().findings == found.findings)
    }
    try expectWhole()
  }

  @Test func missingTablesAreRecreated() throws {
    _ = try makeAlbums()
    let before = try rows("SELECT sql FROM sqlite_master ORDER BY sql")
    for table in ["magic_assets", "magic_asset_columns"] {
      try scratch.change("DROP TABLE \(table)")
      try scratch.using { store throws in
        #expect(!(try store.repair()).isSound)
      }
      #expect(try rows("SELECT sql FROM sqlite_master ORDER BY sql") == before)
    }
    try expectWhole()
  }

  @Test func anUnreferencedFileIsRemoved() throws {
    let files = try makeAlbums()
    try scratch.change(
      """
      DROP TRIGGER "Album assets out"; DELETE FROM "Album" WHERE "name" = 'a'
      """)
    try scratch.using { store throws in
      #expect(try store.repair().findings.map(\.kind) == [.missingTrigger, .wrongCount])
      #expect(scratch.assetFiles.count == files.count - 1)
      #expect(try store.verify().findings == [])
      #expect(try store.allNotes() == ["notes of b", "notes of b"])
    }
  }

  @Test func missingTriggersAreRecreated() throws {
    _ = try makeAlbums()
    for trigger in ["in", "change", "out"] {
      try scratch.change("DROP TRIGGER \"Album assets \(trigger)\"")
      try scratch.using { store throws in
        let found = try store.verify().findings
        #expect(found.map(\.kind) == [.missingTrigger])
        #expect(try store.repair().findings == found)
      }
    }
    try expectWhole()
  }

  @Test func anUnlistedColumnIsListedAgain() throws {
    _ = try makeAlbums()
    let listed = "SELECT * FROM magic_asset_columns ORDER BY 1, 2"
    let before = try rows(listed)
    try scratch.change("DELETE FROM magic_asset_columns WHERE column_name <> 'label'")
    try scratch.using { store throws in
      let found = try store.verify().findings
      #expect(found.map(\.kind) == [.wrongCatalogue, .wrongCatalogue])
      #expect(try store.repair().findings == found)
    }
    #expect(try rows(listed) == before)
    try expectWhole()
  }

  @Test func noCountIsLoweredIfAListedColumnIsMissing() throws {
    let files = try makeAlbums()
    try scratch.change("INSERT INTO magic_asset_columns VALUES ('Lost', 'notes')")
    try scratch.change(
      "UPDATE magic_assets SET uses = CASE WHEN uses = 2 THEN 1 ELSE uses END")
    try scratch.change(
      """
      DROP TRIGGER "Album assets out"; DELETE FROM "Album" WHERE "name" = 'a'
      """)
    try scratch.using { store throws in
      let repaired = try store.repair().findings.map(\.kind)
      #expect(repaired == [.missingTrigger, .wrongCount])
      #expect(scratch.assetFiles == files)
      #expect(try store.verify().findings.map(\.kind) == [.wrongCatalogue, .wrongCount])
    }
    try scratch.change("DELETE FROM magic_asset_columns WHERE table_name = 'Lost'")
    try scratch.using { store throws in
      #expect(try store.repair().findings.map(\.kind) == [.wrongCount])
      #expect(scratch.assetFiles.count == files.count - 1)
      #expect(try store.verify().findings == [])
    }
  }

  /// A row of the missing column may refer to it too.
  @Test func aTooHighCountIsKeptIfAListedColumnIsMissing() throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      INSERT INTO magic_asset_columns VALUES ('Lost', 'notes');
      UPDATE magic_assets SET uses = uses + 1
      """)
    try scratch.using { store throws in #expect(try store.repair().findings == []) }
    #expect(try rows("SELECT uses FROM magic_assets ORDER BY uses") == [["2"], ["3"]])
    try scratch.change("DELETE FROM magic_asset_columns WHERE table_name = 'Lost'")
    try scratch.using { store throws in
      #expect(try store.repair().findings.map(\.kind) == [.wrongCount, .wrongCount])
    }
    try expectWhole()
  }

  @Test func invalidFileNamesAreNotCounted() throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      INSERT INTO magic_assets VALUES ('../../etc/passwd', 3), (x'00ff', 1);
      DROP TRIGGER "Album assets change";
      UPDATE "Album" SET "cover" = '../outside' WHERE "name" = 'a'
      """)
    try scratch.using { store throws in
      _ = try store.repair()
      #expect(try store.verify().findings.map(\.kind) == [.noFileName])
      #expect(try store.repair().findings == [])
    }
    #expect(try rows("SELECT 1 FROM magic_assets WHERE name = '../outside'") == [])
  }

  @Test func aFileMarkedForRemovalIsKeptIfARowRefersToIt() throws {
    _ = try makeAlbums()
    try scratch.using { store throws in
      let hold = try #require(
        try AssetFolder(
          DiskFileSystem(root: scratch.assets, durability: .none), path: scratch.assets
        ).lockForCopying())
      let album = try store.object(of: Album.self, primary: "a")
      let file = try #require(album.notes.path).path
      album.notes = .init()
      try store.update(album)
      let name = String(file.dropFirst(scratch.assets.count + 1))
      try scratch.change(
        """
        DROP TRIGGER "Album assets change"; UPDATE "Album" SET "notes" = '\(name)'
        WHERE "name" = 'a'
        """)
      try store.repair()
      hold.release()
      for year in 1...200 {
        album.year = year
        try store.update(album)
      }
      #expect(FileManager.default.fileExists(atPath: file))
    }
    try expectWhole()
  }

  @Test func aDatabaseWithoutAssetsIsNotWritten() throws {
    try scratch.using { store throws in try store.update(Plain()) }
    let before = try DatabaseDump(of: scratch.file())
    try scratch.using { store throws in #expect(try store.repair().findings == []) }
    #expect(try DatabaseDump(of: scratch.file()).differences(from: before) == [])
  }

  @Test func aDatabaseInMemoryIsRepaired() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    try store.update(Album("a", notes: "x"))
    try store.shared.readOnWriter {
      try $0.connection.execute("UPDATE magic_assets SET uses = 5")
    }
    #expect(try store.repair().findings.map(\.kind) == [.wrongCount])
    #expect(try store.verify().findings == [])
    #expect(try store.allNotes() == ["x"])
  }

  @Test func aReadOnlyDatabaseIsNotRepaired() throws {
    _ = try makeAlbums()
    try scratch.change("UPDATE magic_assets SET uses = 7")
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      expect(.readOnly) { try store.repair() }
      #expect(!(try store.verify()).isSound)
    }
  }

  @Test func aFailedRepairChangesNothing() throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      DELETE FROM magic_asset_columns; UPDATE magic_assets SET uses = 7;
      CREATE TRIGGER "no" BEFORE UPDATE ON "magic_assets" BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    let before = try DatabaseDump(of: scratch.file())
    try scratch.using { store throws in expect(.constraint) { try store.repair() } }
    #expect(try DatabaseDump(of: scratch.file()).differences(from: before) == [])
    try scratch.change("DROP TRIGGER \"no\"")
    try scratch.using { store throws in _ = try store.repair() }
    try expectWhole()
  }

  @Test func theNumberOfFindingsOfAKindIsLimitedAndAllAreRepaired() throws {
    _ = try makeAlbums()
    try scratch.using { store throws in
      try scratch.change("UPDATE magic_assets SET uses = 7; DELETE FROM magic_asset_columns")
      let report = try store.repair(limit: 1)
      #expect(report.findings.map(\.kind) == [.wrongCatalogue, .wrongCount])
      #expect(!report.isComplete)
    }
    try expectWhole()
  }

  @Test func aNestedRepairIsAnError() throws {
    try scratch.using { store throws in
      expect(.nestedCall) { try store.transaction { _ in _ = try store.repair() } }
    }
  }
}
