import EngineConformance
import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import MagicTestSupport
import SQLiteStore
import Testing

/// Wrong reference counts in a file that is opened and used.
@Suite struct WrongCountsTests {
  let scratch = Scratch()

  /// A closed database with two albums, and the names of their notes' files.
  private func makeAlbums() throws -> [String] {
    try scratch.using { store throws in
      for name in ["a", "b"] { try store.update(Album(name, notes: "notes of \(name)")) }
    }
    return scratch.assetFiles
  }

  /// Adds the markers of all batches, as a killed process leaves them.
  private func leaveMarks() throws {
    for batch in Set(scratch.assetFiles.map { $0.prefix(16) }) {
      try Data().write(to: URL(fileURLWithPath: "\(scratch.assets)/\(batch).open"))
    }
  }

  private func put(_ file: String) throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.assets + "/" + file))
  }

  /// Expects that every referenced file exists, also after a write and after opening again.
  private func expectAllNotes(at location: SourceLocation = #_sourceLocation) throws {
    for year in 1...2 {
      try scratch.using { store throws in
        #expect(
          try store.allNotes() == ["notes of a", "notes of b"], sourceLocation: location)
        let album = try store.object(of: Album.self, primary: "a")
        album.year = year
        album.cover = .init(value: Data([UInt8(year)]))
        try store.update(album)
        #expect(
          try store.allNotes() == ["notes of a", "notes of b"], sourceLocation: location)
      }
    }
  }

  @Test(arguments: [0, -1, -7])
  func aReferencedFileIsKeptForAnyCount(_ uses: Int) throws {
    let files = try makeAlbums()
    try scratch.change("UPDATE magic_assets SET uses = \(uses)")
    try expectAllNotes()
    #expect(Set(scratch.assetFiles).isSuperset(of: files))
    try scratch.using { store throws in
      #expect(try store.verify().findings == [])
      try store.removeAll(of: Album.self)
      #expect(scratch.assetFiles == [])
    }
  }

  @Test(arguments: [
    "UPDATE magic_assets SET uses = 0", "DELETE FROM magic_assets", "DROP TABLE magic_assets",
    "DELETE FROM magic_asset_columns; UPDATE magic_assets SET uses = 0",
    "DROP TABLE magic_asset_columns; DELETE FROM magic_assets",
  ])
  func aReferencedFileInABatchOfAnEndedProcessIsKept(_ sql: String) throws {
    let files = try makeAlbums()
    let orphan = files[0].prefix(17) + "00000000000000aa-1.txt"
    try put(String(orphan))
    try scratch.change(sql)
    try leaveMarks()
    try scratch.using { store throws in
      #expect(scratch.assetFiles == files)
      #expect(try store.allNotes() == ["notes of a", "notes of b"])
    }
  }

  @Test func unreferencedFilesAreStillRemoved() throws {
    let files = try makeAlbums()
    let orphan = files[0].prefix(17) + "00000000000000aa-1.txt"
    try put(String(orphan))
    try scratch.change(
      """
      UPDATE magic_assets SET uses = 0;
      INSERT INTO magic_assets VALUES ('\(orphan)', -1)
      """)
    try expectAllNotes()
    #expect(!scratch.assetFiles.contains(String(orphan)))
    #expect(try scratch.raw().integer("SELECT count(*) FROM magic_assets WHERE uses < 0") == 0)
  }

  @Test(arguments: [
    "DELETE FROM magic_asset_columns",
    "DELETE FROM magic_asset_columns WHERE column_name = 'notes'",
  ])
  func filesOfAnUnlistedColumnWithTriggersAreReferenced(_ sql: String) throws {
    _ = try makeAlbums()
    try scratch.change("\(sql); UPDATE magic_assets SET uses = 0")
    try expectAllNotes()
  }

  @Test(arguments: [
    "ALTER TABLE Album RENAME COLUMN notes TO others",
    "ALTER TABLE Album RENAME TO Others",
    """
    CREATE TABLE Others AS SELECT * FROM Album; DROP TABLE Album;
    INSERT OR IGNORE INTO magic_asset_columns VALUES ('Album', 'notes')
    """,
  ])
  func nothingIsRemovedIfTheListedColumnsDifferFromTheFile(_ sql: String) throws {
    let files = try makeAlbums()
    try scratch.change("\(sql); UPDATE magic_assets SET uses = 0")
    try leaveMarks()
    for _ in 0..<2 {
      try scratch.using { store throws in _ = try store.update(Page("new")) }
      #expect(Set(scratch.assetFiles).isSuperset(of: files))
    }
  }

  /// Opening does not wait for another process; the counts are corrected with the first save.
  @Test func aFileIsKeptIfAnotherProcessPreventsTheCorrectionOfCounts() throws {
    let files = try makeAlbums()
    let raw = try scratch.raw()
    try raw.execute("UPDATE magic_assets SET uses = 0")
    try raw.begin(.immediate)
    try scratch.using { store throws in
      raw.rollBack()
      struct Abandoned: Error {}
      for isStored in [false, true] {
        try? store.transaction { transaction in
          try transaction.update(Album("c", notes: "notes of c"))
          if !isStored { throw Abandoned() }
        }
      }
      #expect(Set(scratch.assetFiles).isSuperset(of: files))
      #expect(try store.allNotes() == ["notes of a", "notes of b", "notes of c"])
      #expect(try store.verify().findings == [])
    }
  }

  @Test func aSaveToATableWithoutItsTriggersKeepsItsFile() throws {
    _ = try makeAlbums()
    try scratch.change(
      """
      DROP TRIGGER "Album assets in"; DROP TRIGGER "Album assets change";
      DROP TRIGGER "Album assets out"
      """)
    try scratch.using { store throws in
      try store.update(Album("c", notes: "notes of c"))
      let album = try store.object(of: Album.self, primary: "a")
      album.cover = .init(value: Data([1]))
      try store.update(album)
    }
    try scratch.using { store throws in
      #expect(try store.allNotes() == ["notes of a", "notes of b", "notes of c"])
      #expect(try store.object(of: Album.self, primary: "a").cover.load() == Data([1]))
    }
  }

  @Test func countsThatAnotherProgramChangesMeanwhileRemoveNoFile() throws {
    let files = try makeAlbums()
    try scratch.using { store throws in
      try store.update(Plain())
      try scratch.change("UPDATE magic_assets SET uses = 0")
      try store.update(Plain())
      #expect(scratch.assetFiles == files)
      #expect(try store.verify().findings == [])
      try scratch.change("UPDATE magic_assets SET uses = -1")
      try store.update(Album("c", notes: "notes of c"))
      #expect(try store.allNotes() == ["notes of a", "notes of b", "notes of c"])
    }
  }

  @Test func rowsAreReadOnceForAllFilesAndNotIfNoFileWouldBeRemoved() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<50).map { Album("\($0)", notes: "\($0)") })
    }
    #expect(try statementsOnRows().isEmpty)
    try scratch.change("UPDATE magic_assets SET uses = -1")
    // One for each column.
    #expect(try statementsOnRows().count == 3)
    #expect(try statementsOnRows().isEmpty)
    try scratch.change("UPDATE magic_assets SET uses = 0")
    try leaveMarks()
    // The same again for the marked batch.
    #expect(try statementsOnRows().count == 6)
  }

  /// The statements that read albums when the database is opened.
  private func statementsOnRows() throws -> [String] {
    let statements = Recorder<String>()
    try scratch.using(MagicOptions(trace: { statements.note($0) })) { _ in }
    return statements.all.filter { $0.contains("FROM \"Album\"") }
  }
}

/// Names a file in one column of another table.
private struct Page: MagicObject {
  @MagicValue var text: MagicAsset<String> = .init()

  init() {}
  init(_ text: String) { self.text = .init(value: text) }
}
