import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

struct Film: MagicObject {
  @PrimaryMagicValue var title: String
  @MagicValue var content: MagicAsset<Data>
  @OptionMagicValue var notes: MagicAsset<String>?

  init() { content = .init() }
  init(_ title: String, _ content: Data? = nil) {
    self.title = title
    self.content = content.map { .init(value: $0, pathExtension: "mov") } ?? .init()
  }
}

/// Assets in the tables of the database.
@Suite(.requiresPostgreSQL) struct AssetTests {
  /// Bytes without repetition, more than one piece.
  private static let bytes = Data(
    (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })

  private func count(_ schema: TestSchema) throws -> (assets: Int, pieces: Int) {
    (
      try schema.run("SELECT FROM magic_assets").count,
      try schema.run("SELECT FROM magic_asset_data").count
    )
  }

  @Test func assetsAreStoredReadAndDeletedWithTheirRows() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    let film = Film("A", Self.bytes)
    film.notes = .init(value: "text")
    try store.update(contentsOf: [film, Film("B"), Film("C", Data()), Film("D"), Film("E")])
    #expect(try count(schema) == (3, 5))
    #expect(film.content.path == nil)
    let films = try store.object(of: Film.self)
    #expect(try films[0].content.load() == Self.bytes)
    #expect(try films[0].content.size == Self.bytes.count)
    #expect(films[0].content.pathExtension == "mov")
    #expect(try films[0].notes?.load() == "text")
    #expect(try films[1].content.load() == nil && films[1].notes == nil)
    #expect(try films[2].content.load() == Data())
    let reader = try films[0].content.open()
    for range in [
      0..<1, 262_143..<262_145, 500_000..<999_999, 999_999..<2_000_000, 262_144..<524_288,
    ] {
      #expect(try reader.read(range) == Self.bytes[range.clamped(to: 0..<Self.bytes.count)])
    }
    #expect(try reader.read(2_000_000..<2_000_001).isEmpty)

    // A new value replaces the asset in the same commit, and a rollback keeps it.
    films[0].notes?.value = "new"
    #expect(throws: CancellationError.self) {
      try store.transaction { transaction in
        _ = try transaction.update(films[0])
        throw CancellationError()
      }
    }
    #expect(try count(schema) == (3, 5))
    #expect(try store.object(of: Film.self, primary: "A").notes?.load() == "text")
    try store.update(films[0])
    #expect(try count(schema) == (3, 5))
    #expect(try store.object(of: Film.self, primary: "A").notes?.load() == "new")
    #expect(try store.verify().isSound)

    // An asset of two rows remains until the last of them is deleted, also by SQL.
    films[1].content = films[0].content
    try store.update(films[1])
    try store.remove(films[0])
    #expect(try count(schema).assets == 2)
    #expect(try store.object(of: Film.self, primary: "B").content.load() == Self.bytes)
    try schema.run("DELETE FROM \"Film\" WHERE title = 'B'")
    #expect(try count(schema) == (1, 0))
    #expect(code { _ = try reader.read(0..<10) } == .assetMissing)
    _ = try store.removeAll(of: Film.self)
    #expect(try count(schema) == (0, 0))
  }

  @Test func assetsOfARolledBackPartAreNotStored() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    try store.update(Film("A", Data([1])))
    try store.transaction { transaction in
      _ = try transaction.update(Film("B", Data([2])))
      #expect(throws: MagicError.self) {
        _ = try transaction.insert(Film("A", Data([3])))
      }
      #expect(try transaction.object(of: Film.self, primary: "B").content.load() == Data([2]))
    }
    #expect(try count(schema) == (2, 2))
    #expect(
      try store.object(of: Film.self).map { try $0.content.load() } == [Data([1]), Data([2])])
  }

  @Test func aCheckOfReferencesKeepsAnAssetThatIsUsedAgain() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    try store.update(contentsOf: [Film("A", Data([1])), Film("B")])
    let stored = try schema.run("SELECT content FROM \"Film\" WHERE title = 'A'")
    let name = stored.text(0, 0)
    try store.transaction { transaction in
      _ = try transaction.sql("UPDATE \"Film\" SET content = '' WHERE title = 'A'").run()
      let player = Player("P")
      player.home = City("Oslo")
      try transaction.update(player)
      _ = try transaction.sql("UPDATE \"Film\" SET content = \(name) WHERE title = 'B'").run()
    }
    #expect(try count(schema) == (1, 1))
    #expect(try store.object(of: Film.self, primary: "B").content.load() == Data([1]))
    #expect(try store.verify().isSound)
  }

  @Test func aStreamIsStoredAgainAfterARollback() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    let content = try await magic.asset(
      streaming: AsyncStream<Data> { continuation in
        continuation.yield(Self.bytes)
        continuation.finish()
      }, pathExtension: "mov")
    let film = Film("A")
    film.content = content
    await #expect(throws: CancellationError.self) {
      try await magic.transaction { transaction in
        _ = try transaction.update(film)
        throw CancellationError()
      }
    }
    #expect(try count(schema) == (0, 0))
    try await magic.update(film)
    var read = Data()
    for try await piece in film.content.chunks(ofSize: 100_000) { read.append(piece) }
    #expect(read == Self.bytes)
    await magic.close()
  }

  @Test func assetsAreCopiedBetweenDatabases() throws {
    let (first, second) = (try TestSchema().open(), try TestSchema().open())
    defer {
      first.close()
      second.close()
    }
    try first.update(Film("A", Self.bytes))
    let film = Film("B")
    film.content = try first.object(of: Film.self, primary: "A").content
    try second.update(film)
    try first.remove(try first.object(of: Film.self, primary: "A"))
    #expect(try second.object(of: Film.self, primary: "B").content.load() == Self.bytes)
  }

  @Test func damagedAssetsAreReported() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    try store.update(contentsOf: [
      Film("A", Self.bytes), Film("B", Data([1])), Film("C", Data([2])),
    ])
    try schema.run("DELETE FROM magic_asset_data WHERE part = 1")
    let film = try store.object(of: Film.self, primary: "A")
    #expect(code { _ = try film.content.load() } == .cannotDecode)
    #expect(try store.verify().findings.map(\.kind) == [.wrongSize])
    try schema.run("DELETE FROM magic_assets WHERE size = 1")
    let kinds = try store.verify().findings.map(\.kind)
    #expect(kinds == [.wrongSize, .missingFile, .missingFile])
    #expect(
      code { _ = try store.object(of: Film.self, primary: "B").content.load() } == .assetMissing)
    try schema.run("UPDATE magic_assets SET uses = 5")
    try schema.run("INSERT INTO magic_assets VALUES ('x', 0)")
    #expect(
      Set(try store.verify().findings.map(\.kind))
        == [.wrongSize, .missingFile, .wrongCount, .orphanFile])
  }

  // MARK: Migrations

  private enum Old {
    struct Film: MagicObject {
      @PrimaryMagicValue var title: String
      @OptionMagicValue var text: String?
      @OptionMagicValue var dropped: MagicAsset<String>?
      @OptionMagicValue var content: MagicAsset<String>?
      @OptionMagicValue var plain: MagicAsset<String>?
      @OptionMagicValue var length: MagicAsset<String>?

      init() {}
    }
  }

  private enum New {
    struct Film: MagicObject {
      @PrimaryMagicValue var title: String
      @MagicValue var text: MagicAsset<String>
      @OptionMagicValue(.wasNamed("content")) var data: MagicAsset<String>?
      @MagicValue var cover: MagicAsset<String>
      @OptionMagicValue var plain: String?
      @OptionMagicValue var length: Int?

      init() {
        text = .init()
        cover = .init(value: "none")
      }

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.deleteValue(name: "dropped")] }
          MigrationStep {
            [
              .transformValue(name: "text") { (text: String) in MagicAsset<String>(value: text) },
              .transformValue(name: "plain") { (asset: MagicAsset<String>) in
                try asset.load() ?? ""
              },
              .transformValue(name: "length") { (asset: MagicAsset<String>) in
                try asset.load()?.count ?? 0
              },
            ]
          }
        }
      }
    }
  }

  @Test func assetsAreMigrated() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    let film = Old.Film()
    film.title = "A"
    film.text = "long"
    film.dropped = .init(value: "x")
    film.content = .init(value: "c")
    film.plain = .init(value: "plain")
    film.length = .init(value: "12345")
    let other = Old.Film()
    other.title = "B"
    try old.update(contentsOf: [film, other])
    #expect(try count(schema).assets == 4)
    old.close()
    let store = try schema.open()
    defer { store.close() }
    let films = try store.object(of: New.Film.self)
    #expect(try films.map { try $0.text.load() } == ["long", nil])
    #expect(try films.map { try $0.data?.load() } == ["c", nil])
    #expect(try films.map { try $0.cover.load() } == ["none", "none"])
    #expect(films.map(\.plain) == ["plain", nil])
    #expect(films.map(\.length) == [5, nil])
    #expect(try count(schema).assets == 3)
    #expect(try store.verify().findings.map(\.kind) == [])
    _ = try store.removeAll(of: New.Film.self)
    #expect(try count(schema).assets == 0)
  }

  // MARK: Memory

  /// The resident memory of the process in bytes.
  private static var residentMemory: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
    return (pages ?? 0) * Int(getpagesize())
  }

  @Test func largeAssetsAreStreamedWithBoundedMemory() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    let (pieces, size) = (80, 1 << 20)
    let before = Self.residentMemory
    nonisolated(unsafe) var next = 0
    let content = try await magic.asset(
      streaming: AsyncStream<Data> {
        defer { next += 1 }
        return next < pieces ? Data(repeating: UInt8(next), count: size) : nil
      })
    let film = Film("A")
    film.content = content
    try await magic.update(film)
    var (offset, peak) = (0, Self.residentMemory)
    for try await piece in try await magic.object(of: Film.self, primary: "A").content.chunks() {
      #expect(piece.first == UInt8(offset / size) && piece.last == piece.first)
      offset += piece.count
      peak = max(peak, Self.residentMemory)
    }
    #expect(offset == pieces * size)
    #expect(peak - before < 32 << 20, "\((peak - before) >> 20) MiB")
    try await magic.remove(film)
    #expect(try count(schema) == (0, 0))
    await magic.close()
  }
}
