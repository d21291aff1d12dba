import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The files of a type when its asset properties are added, dropped and changed.
@Suite struct AssetMigrationTests {
  let scratch = Scratch()

  enum Old {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: String
      @MagicValue var image: MagicAsset<String>
      @OptionMagicValue var extra: MagicAsset<String>?

      init() {}
      init(_ number: Int) {
        text = "text \(number)"
        image = MagicAsset(value: "image \(number)", pathExtension: "txt")
        if number % 2 == 0 { extra = MagicAsset(value: "extra \(number)") }
      }
    }
  }

  private func makeOld() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (1...4).map { Old.Page($0) })
    // Two rows of one file.
    let pages = try await magic.object(of: Old.Page.self)
    pages[3].image = pages[2].image
    try await magic.update(pages[3])
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

  enum Less {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: String
      @OptionMagicValue var extra: MagicAsset<String>?

      static var migrations: Migrations {
        Migrations { MigrationStep { [.deleteValue(name: "image")] } }
      }
    }
  }

  @Test func theFilesOfADroppedPropertyAreRemoved() async throws {
    try await makeOld()
    #expect(files == 5)
    try await using { magic async throws in
      let pages = try await magic.object(of: Less.Page.self)
      #expect(pages.map { $0.extra?.value } == [nil, "extra 2", nil, "extra 4"])
    }
    #expect(files == 2)
  }

  enum Renamed {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @OptionMagicValue var text: String?
      @MagicValue var picture: MagicAsset<String>
      @OptionMagicValue var extra: MagicAsset<String>?

      static var migrations: Migrations {
        Migrations { MigrationStep { [.renameValue(name: "image", to: "picture")] } }
      }
    }
  }

  @Test func aRebuiltTableKeepsItsFiles() async throws {
    try await makeOld()
    try await using { magic async throws in
      let pages = try await magic.object(of: Renamed.Page.self)
      #expect(pages.map(\.picture.value) == ["image 1", "image 2", "image 3", "image 3"])
      pages[3].picture = MagicAsset(value: "new")
      try await magic.update(pages[3])
      try await magic.remove(pages[2])
    }
    #expect(files == 5)
  }

  enum Filed {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: MagicAsset<String>
      @MagicValue var image: MagicAsset<String>
      @OptionMagicValue var extra: MagicAsset<String>?

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "text") { (text: String) in
                MagicAsset(value: text, pathExtension: "txt")
              }
            ]
          }
        }
      }
    }
  }

  @Test func aTextColumnIsConvertedToAnAsset() async throws {
    try await makeOld()
    try await using { magic async throws in
      let pages = try await magic.object(of: Filed.Page.self)
      #expect(pages.map(\.text.value) == ["text 1", "text 2", "text 3", "text 4"])
      #expect(pages.map(\.image.value) == ["image 1", "image 2", "image 3", "image 3"])
    }
    #expect(files == 9)
    try await using { magic async throws in
      try await magic.removeAll(of: Filed.Page.self)
    }
    #expect(files == 0)
  }

  enum Read {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: String
      @MagicValue var image: String

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "image") { (image: MagicAsset<String>) in try image.load() ?? ""
              },
              .deleteValue(name: "extra"),
            ]
          }
        }
      }
    }
  }

  @Test func anAssetIsConvertedToATextColumn() async throws {
    try await makeOld()
    try await using { magic async throws in
      let pages = try await magic.object(of: Read.Page.self)
      #expect(pages.map(\.image) == ["image 1", "image 2", "image 3", "image 3"])
    }
    #expect(files == 0)
  }

  enum More {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: String
      @MagicValue var image: MagicAsset<String>
      @OptionMagicValue var extra: MagicAsset<String>?
      @MagicValue var cover = MagicAsset<String>(value: "cover")
      @MagicValue var blank = MagicAsset<String>()
      @OptionMagicValue var other: MagicAsset<String>?
    }
  }

  @Test func newAssetPropertiesHaveTheirDefaults() async throws {
    try await makeOld()
    try await using { magic async throws in
      let pages = try await magic.object(of: More.Page.self)
      #expect(pages.map(\.cover.value) == ["cover", "cover", "cover", "cover"])
      #expect(pages.allSatisfy { $0.blank.value == nil && $0.other == nil })
      #expect(pages.map(\.image.value) == ["image 1", "image 2", "image 3", "image 3"])
    }
    // All existing rows refer to one file.
    #expect(files == 6)
  }

  struct Unwilling: Error {}

  enum Failing {
    struct Page: MagicObject {
      static var tableName: String { "Page" }
      @PrimaryMagicValue var id: Int
      @MagicValue var text: MagicAsset<String>
      @MagicValue var image: MagicAsset<String>
      @OptionMagicValue var extra: MagicAsset<String>?

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "text") { (text: String) in
                if text.hasSuffix("3") { throw Unwilling() }
                return MagicAsset(value: text)
              }
            ]
          }
        }
      }
    }
  }

  @Test func aFailedMigrationLeavesNoFile() async throws {
    try await makeOld()
    let before = scratch.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    let magic = try await MagicData(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await magic.migrate(Failing.Page.self)
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.cause is Unwilling)
    #expect(try await magic.object(of: Old.Page.self).map(\.text).count == 4)
    await magic.close()
    #expect(scratch.names == before)
  }
}
