import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Asset properties that are renamed and added together.
@Suite struct AssetRenamingTests {
  let scratch = Scratch()

  enum Old {
    struct Album: MagicObject {
      @PrimaryMagicValue var id: Int
      @MagicValue var front: MagicAsset<String>
      @OptionMagicValue var back: MagicAsset<String>?
      @MagicValue var title = "t"
    }
  }

  /// Changes without a rebuild; the new property is before the existing ones.
  enum New {
    struct Album: MagicObject {
      @PrimaryMagicValue var id: Int
      @OptionMagicValue var spine: MagicAsset<String>?
      @MagicValue(.wasNamed("front")) var first: MagicAsset<String>
      @OptionMagicValue(.wasNamed("back")) var second: MagicAsset<String>?
      @MagicValue var title = "t"
    }
  }

  /// The table is rebuilt.
  enum Rebuilt {
    struct Album: MagicObject {
      @PrimaryMagicValue var id: Int
      @MagicValue(.wasNamed("front")) var first: MagicAsset<String>
      @OptionMagicValue(.wasNamed("back")) var second: MagicAsset<String>?
      @OptionMagicValue var title: String?
      @MagicValue var spine: MagicAsset<String> = .init()
    }
  }

  private func makeOld() async throws {
    let magic = try await MagicData(path: scratch.file())
    for number in 1...3 {
      let album = Old.Album()
      album.front = MagicAsset(value: "front \(number)")
      if number == 2 { album.back = MagicAsset(value: "back") }
      try await magic.update(album)
    }
    await magic.close()
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  private var files: Int {
    scratch.names.filter { $0.split(separator: "/").count == 3 }.count
  }

  @Test func severalAreRenamedAndOneIsAdded() async throws {
    try await makeOld()
    try await using { magic async throws in
      let albums = try await magic.object(of: New.Album.self)
      #expect(albums.map(\.first.value) == ["front 1", "front 2", "front 3"])
      #expect(albums.map { $0.second?.value } == [nil, "back", nil])
      albums[0].first = MagicAsset(value: "new")
      albums[0].spine = MagicAsset(value: "spine")
      albums[1].second = nil
      try await magic.update(contentsOf: albums)
      try await magic.remove(albums[2])
    }
    #expect(files == 3)
    try await using { magic async throws in try await magic.removeAll(of: New.Album.self) }
    #expect(files == 0)
  }

  @Test func severalAreRenamedWhileTheTableIsRebuilt() async throws {
    try await makeOld()
    try await using { magic async throws in
      let albums = try await magic.object(of: Rebuilt.Album.self)
      #expect(albums.map(\.first.value) == ["front 1", "front 2", "front 3"])
      #expect(albums.map { $0.second?.value } == [nil, "back", nil])
      albums[1].first = albums[0].first
      try await magic.update(albums[1])
      try await magic.remove(albums[0])
    }
    #expect(files == 3)
    try await using { magic async throws in try await magic.removeAll(of: Rebuilt.Album.self) }
    #expect(files == 0)
  }

  @Test func aTypeWithAssetsIsRenamed() async throws {
    struct Folder: MagicObject {
      static var wasNamed: [String] { ["Album"] }
      @PrimaryMagicValue var id: Int
      @MagicValue(.wasNamed("front")) var first: MagicAsset<String>
      @OptionMagicValue var back: AsyncMagical<MagicAsset<String>>?
      @MagicValue var title = "t"
    }
    try await makeOld()
    try await using { magic async throws in
      let folders = try await magic.object(of: Folder.self)
      #expect(folders.map(\.first.value) == ["front 1", "front 2", "front 3"])
      #expect(try await folders[1].back?.get().value == "back")
      try await magic.remove(folders[1])
    }
    #expect(files == 2)
  }
}
