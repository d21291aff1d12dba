import EngineConformance
import Foundation
import MagicAssets
import MagicSQLite
import MagicTestSupport
import Testing

/// The tables and triggers of assets, as the documentation defines them.
@Suite struct AssetTableTests {
  let scratch = Scratch()

  @Test func tablesAndTriggersAreAsDocumented() throws {
    let root = URL(fileURLWithPath: #filePath.components(separatedBy: "/Tests/")[0])
    let drawing = try FormatDrawing(under: "## Assets", in: root)
    #expect(drawing.isPart(of: try String(contentsOfFile: #filePath, encoding: .utf8)))
    try scratch.using { store in try store.update(Drawn.Photo()) }
    let made = try scratch.raw().texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN "
        + "('Photo', 'magic_assets', 'magic_asset_columns')")
    #expect(drawing.differences(from: made) == [])
  }

  @Test func everyColumnOfAssetsIsInTheCatalogue() throws {
    try scratch.using { store in try store.update(Album("a")) }
    #expect(
      try scratch.raw().texts(
        "SELECT table_name || '.' || column_name FROM magic_asset_columns ORDER BY column_name")
        == ["Album.cover", "Album.label", "Album.notes"])
  }

  @Test func unusedFilesAreFoundWithAnIndex() throws {
    try scratch.using { store in try store.update(Album("a")) }
    let plan = try scratch.raw().prepare(
      "EXPLAIN QUERY PLAN SELECT name FROM magic_assets WHERE uses <= 0 AND uses = 0")
    #expect(try plan.step())
    #expect(plan.column(3).text.contains("magic_assets(uses)"))
  }

  @Test func theReferenceCountOfAFileIsCorrectForAnyWriter() throws {
    try scratch.using { store in
      let album = Album("a", notes: "1")
      try store.update(album)
      for name in ["b", "c", "d"] {
        let other = Album(name)
        other.notes = album.notes
        try store.update(other)
      }
    }
    let raw = try scratch.raw()
    func uses() throws -> Int64? { try raw.integer("SELECT uses FROM magic_assets") }
    #expect(try uses() == 4)
    try raw.execute("UPDATE Album SET label = notes WHERE name = 'a'")
    #expect(try uses() == 5)
    try raw.execute("UPDATE Album SET notes = '', label = NULL WHERE name = 'a'")
    #expect(try uses() == 3)
    try raw.execute("UPDATE Album SET notes = notes")
    #expect(try uses() == 3)
    try raw.execute("DELETE FROM Album WHERE name = 'b'")
    #expect(try uses() == 2)
    try raw.execute("SAVEPOINT s; DELETE FROM Album; ROLLBACK TO s; RELEASE s")
    #expect(try uses() == 2)
    try raw.execute("DELETE FROM Album")
    #expect(try uses() == 0)
  }

  /// Tables and rows of another process are part of the database.
  @Test func aTableOfAnotherProcessCountsReferences() throws {
    let other = Scratch()
    try other.using { store in
      try store.update(Album("a"))
      try store.removeAll(of: Album.self)
    }
    try scratch.using { store in
      try store.update(Versions.Text.Page("first"))
      let raw = try scratch.raw()
      try raw.execute("ATTACH '\(other.file())' AS other")
      for sql in try raw.texts(
        "SELECT sql FROM other.sqlite_master WHERE sql IS NOT NULL AND (tbl_name = 'Album' "
          + "OR tbl_name LIKE 'magic_asset%') ORDER BY rowid")
      {
        try raw.execute(sql)
      }
      try raw.execute(
        """
        INSERT INTO magic_catalogue SELECT * FROM other.magic_catalogue WHERE table_name = 'Album';
        INSERT INTO magic_asset_columns SELECT * FROM other.magic_asset_columns
        """)
      raw.close()
      try store.update(Album("a", notes: "1"))
      #expect(scratch.assetFiles.count == 1)
      #expect(try store.allNotes() == ["1"])
      try store.removeAll(of: Album.self)
      #expect(scratch.assetFiles.isEmpty)
    }
  }

  @Test func convertingATextToAnAssetOrAnAssetToATextIsRefused() throws {
    try scratch.using { store in try store.update(Versions.Text.Page("a")) }
    try scratch.using { store in
      expect(.needsMigration) { _ = try store.object(of: Versions.Asset.Page.self) }
      let text = try store.object(of: Versions.Text.Page.self).map(\.body)
      #expect(text == ["a"])
    }
    let other = Scratch()
    try other.using { store in try store.update(Versions.Asset.Page("a")) }
    try other.using { store in
      expect(.needsMigration) { _ = try store.object(of: Versions.Text.Page.self) }
    }
  }

  @Test func anAddedAssetHasNoValueInExistingRows() throws {
    try scratch.using { store in
      try store.update(contentsOf: [Versions.Text.Page("a"), Versions.Text.Page("b")])
    }
    try scratch.using { store in
      let pages = try store.object(of: Versions.More.Page.self)
      #expect(pages.map { $0.image.hasValue } == [false, false])
      pages[0].image = .init(value: "i")
      try store.update(pages[0])
      #expect(scratch.assetFiles.count == 1)
      try store.removeAll(of: Versions.More.Page.self)
      #expect(scratch.assetFiles.isEmpty)
    }
  }

  @Test func anAssetThatIsRenamedKeepsItsFiles() throws {
    try scratch.using { store in
      let page = Versions.More.Page()
      (page.body, page.image) = ("a", .init(value: "i"))
      try store.update(page)
    }
    try scratch.using { store in
      let pages = try store.object(of: Versions.Renamed.Page.self)
      let images = try pages.map { try $0.picture.load() }
      #expect(images == ["i"])
      try store.removeAll(of: Versions.Renamed.Page.self)
      #expect(scratch.assetFiles.isEmpty)
    }
  }
}

/// The type of the documented example.
private enum Drawn {
  struct Photo: MagicObject {
    @MagicValue var title: String = ""
    @MagicValue var image: MagicAsset<Data>
    @OptionMagicValue var thumbnail: MagicAsset<Data>?

    init() { image = .init() }
  }
}

/// One table as several versions of a type.
private enum Versions {
  enum Text {
    struct Page: MagicObject {
      @MagicValue var body: String = ""
      init() {}
      init(_ body: String) { self.body = body }
    }
  }

  enum Asset {
    struct Page: MagicObject {
      @MagicValue var body: MagicAsset<String> = .init()
      init() {}
      init(_ body: String) { self.body = .init(value: body) }
    }
  }

  enum More {
    struct Page: MagicObject {
      @MagicValue var body: String = ""
      @MagicValue var image: MagicAsset<String> = .init()
      init() {}
    }
  }

  enum Renamed {
    struct Page: MagicObject {
      @MagicValue var body: String = ""
      @MagicValue(.wasNamed("image")) var picture: MagicAsset<String> = .init()
      init() {}
    }
  }
}

extension SQLiteConnection {
  /// The texts of the first column.
  fileprivate func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }
}
