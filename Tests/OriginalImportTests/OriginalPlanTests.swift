import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The plan of an import, and the search for the database.
@Suite struct OriginalPlanTests {
  private typealias Artist = OriginalImportTests.Artist
  private typealias Song = OriginalImportTests.Song

  private let database: OriginalDatabase

  init() throws { database = try OriginalDatabase() }

  private func plan(
    as types: [any MagicObject.Type] = OriginalImportTests.types
  ) async throws -> MagicOriginalImportPlan {
    try await MagicData.importPlan(ofOriginalMagicData: database.old, as: types)
  }

  @Test func aPlanHasTypesRowsAndProperties() async throws {
    let before = try FileSnapshot(of: URL(fileURLWithPath: database.old))
    let plan = try await plan()
    #expect(plan.types.map(\.type) == ["Artist", "Song", "Playlist"])
    #expect(plan.types.map(\.table) == ["Artist", "Song", "List"])
    #expect(plan.types.map(\.rows) == [2, 2, 1])
    let properties = plan.types[2].properties.map { "\($0.column) → \($0.name)" }
    #expect(properties.contains("_entries → songs") && properties.contains("_name → name"))
    #expect(plan.losses == [] && plan.missingAssets == 0)
    #expect(plan.description.hasPrefix("Artist → Artist: 2 rows\n  _id → id\n"))
    #expect(try before.changes() == [])
  }

  @Test func aPlanNamesWhatWouldBeLost() async throws {
    try FileManager.default.removeItem(at: database.directory.file("lyrics-1.txt"))
    try database.change("ALTER TABLE \"Artist\" ADD COLUMN \"_age\" INTEGER")
    let plan = try await plan(as: [Artist.self, Song.self, EmptyTypeTests.Part.self])
    #expect(plan.losses == ["Artist._age", "List"] && plan.missingAssets == 1)
    #expect(plan.types[2].table == nil && plan.types[2].rows == 0)
    #expect(plan.types[2].properties == [])
    #expect(plan.description.contains("\nno table → Part: 0 rows\n"))
    #expect(plan.description.hasSuffix("lost: List\nlost: assets without their files: 1"))
  }

  @Test func aPlanThrowsForAValueThatIsNotValid() async throws {
    try database.change("UPDATE List SET _entries = CAST('{}' AS BLOB)")
    let error = await #expect(throws: MagicError.self) { _ = try await plan() }
    #expect(error?.code == .cannotDecode && error?.property == "songs")
  }

  @Test func theDatabaseIsFoundInItsDirectory() async throws {
    #expect(MagicData.originalMagicDataPath(in: database.directory.url) == database.old)
    let empty = try TemporaryDirectory()
    #expect(MagicData.originalMagicDataPath(in: empty.url) == nil)
    let magic = try await MagicData(path: empty.file("default.sqlite3").path)
    let part = EmptyTypeTests.Part()
    part.name = "a"
    try await magic.update(part)
    await magic.close()
    #expect(MagicData.originalMagicDataPath(in: empty.url) == nil)
  }

  @Test func aDatabaseOfThisLibraryNeedsNoImport() async throws {
    let path = database.directory.file("own.sqlite3").path
    let magic = try await MagicData(path: path)
    let part = EmptyTypeTests.Part()
    part.name = "a"
    try await magic.update(part)
    await magic.close()
    let sources = [
      MagicDatabaseLocation.originalMagicData(path, as: [EmptyTypeTests.Part.self]),
      .coreData(path),
    ]
    for source in sources {
      let error = await #expect(throws: MagicError.self) {
        try await MagicData.copy(from: source, to: .file(path + "-new"))
      }
      #expect(error?.code == .notADatabase)
      #expect(error?.message.contains("`magic backup`") == true)
    }
  }
}
