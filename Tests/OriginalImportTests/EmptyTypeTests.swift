import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Types of which the original library has saved no object: their tables do not exist.
@Suite struct EmptyTypeTests {
  typealias Artist = OriginalImportTests.Artist
  typealias Song = OriginalImportTests.Song
  typealias Playlist = OriginalImportTests.Playlist

  /// The type has an entry in the file, and no table.
  struct Unused: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var name: String
    @OptionMagicValue var song: Song?
    @OptionMagicValue var sound: MagicAsset<Data>?
    @MagicValue var byID: [UUID: Song] = [:]
    @MagicValue(.owned) var parts: [Part] = []

    init() {}
  }

  /// The type was never used: it has no entry in the file either.
  struct Part: MagicObject {
    @MagicValue var name: String

    init() {}
  }

  private static let types: [any MagicObject.Type] =
    OriginalImportTests.types + [Unused.self, Part.self]

  private let database: OriginalDatabase
  private let path: String

  init() throws {
    database = try OriginalDatabase()
    path = database.directory.file("new.sqlite3").path
  }

  private func copy(as types: [any MagicObject.Type] = Self.types) async throws {
    try await MagicData.copy(
      from: .originalMagicData(database.old, as: types), to: .file(path))
  }

  @Test func aTypeWithoutATableIsEmpty() async throws {
    try await copy()
    let magic = try await MagicData(path: path)
    #expect(try await magic.migrationPlan(for: Self.types).refused.isEmpty)
    #expect(try await magic.object(of: Unused.self).isEmpty)
    #expect(try await magic.object(of: Artist.self).count == 2)
    let (new, part) = (Unused(), Part())
    (new.name, part.name) = ("first", "a")
    new.song = try await magic.object(of: Song.self, primary: 7)
    (new.parts, new.sound) = ([part], .init(value: Data([1])))
    try await magic.update(new)
    #expect(new.id == 1 && new.zIndex?.rawValue == 1)
    #expect(try await magic.object(of: Unused.self, primary: 1).parts.map(\.name) == ["a"])
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func referencesToATypeWithoutATableAreNil() async throws {
    try database.change("DROP TABLE \"Artist\"")
    try await copy()
    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Song.self).allSatisfy { $0.artist == nil })
    let list = try await magic.object(of: Playlist.self, primary: "Best")
    #expect(list.artists.isEmpty && list.byNick.isEmpty && list.songs.count == 3)
    await magic.close()
  }

  @Test func aFileWithoutTablesIsAnEmptyDatabase() async throws {
    try database.change("DROP TABLE \"Artist\"; DROP TABLE \"Song\"; DROP TABLE \"List\"")
    try await copy()
    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Song.self).isEmpty)
    await magic.close()
  }

  /// A type with an earlier name that is the table of another type.
  struct Painter: MagicObject {
    static var wasNamed: [String] { ["Artist"] }
    @PrimaryMagicValue var id: UUID

    init() {}
  }

  @Test func twoTypesDoNotHaveOneTable() async throws {
    let error = await #expect(throws: MagicError.self) {
      try await copy(as: Self.types + [Painter.self])
    }
    #expect(error?.code == .invalidSchema && error?.type == "Painter")
  }

  @Test func aFileWithOtherTypesOnlyIsRefused() async throws {
    let error = await #expect(throws: MagicError.self) {
      try await MagicData.copy(
        from: .originalMagicData(database.old, as: [Part.self], allowsLoss: true), to: .file(path))
    }
    #expect(error?.code == .invalidSchema)
    #expect(error?.message.contains("Artist, List, Song") == true)
  }
}
