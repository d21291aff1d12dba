import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The import of databases that the original MagicData has written.
@Suite struct OriginalImportTests {
  struct Artist: MagicObject {
    @PrimaryMagicValue var id: UUID
    @MagicValue var name: String
    @OptionMagicValue var label: Data?

    init() {}
  }

  struct Song: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var title: String
    @MagicValue var length: Double
    @MagicValue var words: [String]
    @OptionMagicValue var artist: Artist?
    @OptionMagicValue var lyrics: MagicAsset<String>?

    init() {}
  }

  struct Playlist: MagicObject {
    static var wasNamed: [String] { ["List"] }
    @PrimaryMagicValue var name: String
    @MagicValue(.wasNamed("entries")) var songs: [Song] = []
    @MagicValue var artists: MagicalSet<Artist> = []
    @MagicValue var byRank: [Int: Song] = [:]
    @MagicValue var byNick: [String: Artist] = [:]
    @MagicValue(.indexed) var isShared: Bool = true

    init() {}
  }

  static let types: [any MagicObject.Type] = [Artist.self, Song.self, Playlist.self]

  private let database: OriginalDatabase
  private let path: String

  init() throws {
    database = try OriginalDatabase()
    path = database.directory.file("new.sqlite3").path
  }

  private var directory: TemporaryDirectory { database.directory }
  private var old: String { database.old }

  private func change(_ sql: String) throws { try database.change(sql) }

  private func copy(
    as types: [any MagicObject.Type] = Self.types, allowsLoss: Bool = false
  ) async throws -> MagicCopySummary {
    try await MagicData.copy(
      from: .originalMagicData(old, as: types, allowsLoss: allowsLoss), to: .file(path))
  }

  @Test func objectsRelationshipsAndAssetsArriveComplete() async throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: old))
    let summary = try await copy()
    #expect(summary.rows == 5 && summary.members == 8 && summary.assets == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)

    let magic = try await MagicData(path: path)
    let list = try await magic.object(of: Playlist.self, primary: "Best")
    // Members that do not exist are left out, in lists, sets and dictionaries.
    #expect(list.songs.map(\.title) == ["One", "Two", "One"])
    #expect(Set(list.artists.map(\.name)) == ["Ada", "Zoë"])
    #expect(list.byRank.mapValues(\.title) == [1: "One", 2: "Two"])
    #expect(list.byNick.mapValues(\.name) == ["z": "Zoë"])
    #expect(list.isShared)

    let one = try await magic.object(of: Song.self, primary: 7)
    #expect(one.length == 1.5 && one.words == ["a", "b"] && one.artist?.name == "Ada")
    #expect(try one.lyrics?.load() == "la la")
    #expect(one.artist?.label == Data([0, 255]))
    let two = try await magic.object(of: Song.self, primary: 9)
    // Its artist was deleted.
    #expect(two.artist == nil && two.lyrics == nil && two.length == -0.25)
    #expect(try await magic.object(of: Artist.self).compactMap { $0.zIndex?.rawValue } == [1, 3])
    #expect(try await magic.verify().isSound)

    let new = Song()
    (new.title, new.length, new.words) = ("Three", 3, [])
    try await magic.update(new)
    #expect(new.zIndex?.rawValue == 6 && new.id == 10)
    await magic.close()
  }

  @Test func whatNoTypeHasIsRefusedUnlessLossIsAllowed() async throws {
    let types: [any MagicObject.Type] = [Artist.self]
    let error = await #expect(throws: MagicError.self) { _ = try await copy(as: types) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.message.contains("List, Song") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    let summary = try await copy(as: types, allowsLoss: true)
    #expect(summary.rows == 2)
  }

  private static let faults: [(sql: String, property: String?)] = [
    ("UPDATE Artist SET _id = 'x' WHERE z_index = 0", "id"),
    ("UPDATE Song SET _words = CAST(x'ff' AS BLOB)", "words"),
    ("UPDATE Song SET _length = 'long'", "length"),
    ("UPDATE List SET _entries = CAST('{}' AS BLOB)", "songs"),
    ("UPDATE List SET _byRank = CAST('[1]' AS BLOB)", "byRank"),
    ("UPDATE Song SET _lyrics = '..' WHERE z_index = 4", "lyrics"),
    ("UPDATE Song SET z_index = -1 WHERE z_index = 4", nil),
    ("UPDATE Song SET z_index = -2 WHERE z_index = 4", nil),
    ("UPDATE Song SET z_index = 1.5 WHERE z_index = 4", nil),
    ("UPDATE Song SET z_index = 9223372036854775807 WHERE z_index = 4", nil),
    ("UPDATE Song SET _words = x'' WHERE z_index = 4", "words"),
    ("UPDATE Song SET _words = CAST('{\"a\":1}' AS BLOB) WHERE z_index = 4", "words"),
  ]

  @Test(arguments: 0..<faults.count)
  func aValueThatIsNotValidIsNamed(index: Int) async throws {
    let fault = Self.faults[index]
    try change(fault.sql)
    let error = await #expect(throws: MagicError.self) { _ = try await copy() }
    #expect(error?.code == .cannotDecode)
    #expect(error?.property == fault.property)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func anAssetIsReadOnlyNextToTheDatabase() async throws {
    let secret = try TemporaryDirectory()
    try Data("secret".utf8).write(to: secret.file("secret.txt"))
    try change("UPDATE Song SET _lyrics = '\(secret.file("secret.txt").path)' WHERE z_index = 4")
    let error = await #expect(throws: MagicError.self) { _ = try await copy() }
    #expect(error?.code == .assetMissing)
  }

  @Test func aMissingAssetIsLeftOutIfLossIsAllowed() async throws {
    try FileManager.default.removeItem(at: directory.file("lyrics-1.txt"))
    let error = await #expect(throws: MagicError.self) { _ = try await copy() }
    #expect(error?.code == .assetMissing && error?.property == "lyrics")
    let summary = try await copy(allowsLoss: true)
    #expect(summary.assets == 0 && summary.rows == 5)
  }

  enum Mood: String, MagicalCodable { case calm, wild }
  enum Level: Int, MagicalCodable { case low = 1, high }

  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var mood: Mood
    @MagicValue var level: Level
    @MagicValue var isDone: Bool
    @MagicValue var date: Date
    @OptionMagicValue var price: Decimal?
    @OptionMagicValue var words: [String]?

    static var migrations: Migrations {
      Migrations { MigrationStep { [.transformValue(name: "date") { (date: Date) in date + 1 }] } }
    }

    init() {}
  }

  /// The original library stores each of these values as JSON.
  private static let notes = """
    INSERT INTO "0Table_Info" VALUES ('Note', 3, 9, x'5b5d', 0);
    CREATE TABLE "Note" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "_mood" BLOB, "_level" BLOB,
      "_isDone" BLOB, "_date" BLOB, "_price" BLOB, "_words" BLOB, "z_index" INTEGER NOT NULL UNIQUE);
    INSERT INTO "Note" VALUES (3, CAST('"wild"' AS BLOB), CAST('2' AS BLOB), CAST('true' AS BLOB),
      CAST('700000000.125' AS BLOB), CAST('1.10' AS BLOB), x'', 1), (20, x'00', x'00', x'00', x'00', x'00',
      x'00', 7);
    DELETE FROM "Note" WHERE _id = 20;
    """

  @Test func valuesThatAreStoredAsJSONAreDecoded() async throws {
    try change(Self.notes)
    _ = try await copy(as: [Note.self], allowsLoss: true)
    let magic = try await MagicData(path: path)
    let note = try await magic.object(of: Note.self, primary: 3)
    #expect(note.mood == .wild && note.level == .high && note.isDone)
    // The migration step has not run: it is for tables of an earlier version.
    #expect(note.date.timeIntervalSinceReferenceDate == 700_000_000.125)
    #expect(note.price == Decimal(string: "1.1") && note.words == nil)
    let new = Note()
    (new.mood, new.level, new.isDone, new.date) = (.calm, .low, false, .distantPast)
    try await magic.update(new)
    // The numbers of deleted objects are not used again.
    #expect(new.id == 21 && new.zIndex?.rawValue == 10)
    await magic.close()
  }

  @Test(arguments: [
    "_mood = CAST('\"sad\"' AS BLOB)", "_level = CAST('7' AS BLOB)", "_mood = x'ff'",
  ])
  func aValueThatIsNoCaseIsNamed(assignment: String) async throws {
    try change(Self.notes + "UPDATE \"Note\" SET \(assignment);")
    let error = await #expect(throws: MagicError.self) {
      _ = try await copy(as: [Note.self], allowsLoss: true)
    }
    #expect(error?.code == .cannotDecode)
    #expect(error?.property == (assignment.hasPrefix("_mood") ? "mood" : "level"))
  }

  @Test func aViewIsNoTable() async throws {
    try change(
      """
      DROP TABLE "Song"; CREATE VIEW "Song" AS WITH RECURSIVE n(_id) AS (SELECT 1 UNION ALL
        SELECT _id + 1 FROM n) SELECT _id, _id AS z_index FROM n;
      """)
    let error = await #expect(throws: MagicError.self) { _ = try await copy() }
    #expect(error?.code == .invalidSchema)
  }

  @Test func aRelationshipToATypeThatIsNotImportedIsRefused() async throws {
    let error = await #expect(throws: MagicError.self) {
      _ = try await copy(as: [Song.self], allowsLoss: true)
    }
    #expect(error?.code == .invalidSchema && error?.property == "artist")
  }

  @Test func aCancelledImportLeavesNothing() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await copy()
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aRequiredReferenceToADeletedObjectIsNamed() async throws {
    struct Song: MagicObject {
      @PrimaryMagicValue var id: Int
      @MagicValue var artist: Artist

      init() {}
    }
    let error = await #expect(throws: MagicError.self) {
      _ = try await copy(as: [Song.self, Artist.self], allowsLoss: true)
    }
    #expect(error?.code == .cannotDecode && error?.property == "artist")
  }

  @Test func typesThatTheFileCannotBecomeAreRefused() async throws {
    struct Song: MagicObject {
      @PrimaryMagicValue(.rowID) var id: Int

      init() {}
    }
    struct Artist: MagicObject {
      @PrimaryMagicValue var number: Int

      init() {}
    }
    struct List: MagicObject {
      @PrimaryMagicValue var name: String
      @MagicValue var byRank: [UUID: OriginalImportTests.Song] = [:]

      init() {}
    }
    struct Absent: MagicObject {
      @PrimaryMagicValue var id: Int

      init() {}
    }
    let types: [any MagicObject.Type] = [Song.self, Artist.self, List.self, Absent.self]
    for type in types {
      let error = await #expect(throws: MagicError.self) {
        _ = try await copy(as: [type], allowsLoss: true)
      }
      #expect(error?.code == .invalidSchema)
    }
  }

  @Test func aFileThatIsOpenedAsADatabaseNamesTheImport() async throws {
    let magic = try await MagicData(path: old)
    let error = await #expect(throws: MagicError.self) {
      _ = try await magic.object(of: Artist.self)
    }
    #expect(error?.message.contains(".originalMagicData(") == true)
    await magic.close()
  }

  @Test func anotherFileIsRefused() async throws {
    try change("DROP TABLE \"0Table_Info\"")
    let error = await #expect(throws: MagicError.self) { _ = try await copy() }
    #expect(error?.code == .notADatabase)
    try Data("text".utf8).write(to: URL(fileURLWithPath: old))
    await #expect(throws: MagicError.self) { _ = try await copy() }
  }

  @Test func itIsNoDestination() async throws {
    let source = directory.file("source.sqlite3").path
    let magic = try await MagicData(path: source)
    let artist = Artist()
    artist.name = "Ada"
    try await magic.update(artist)
    await magic.close()
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData.copy(
        from: .file(source), to: .originalMagicData(path, as: Self.types))
    }
    #expect(error?.code == .unsupported)
  }
}
