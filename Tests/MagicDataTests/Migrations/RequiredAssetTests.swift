import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// An optional asset property that becomes required: rows without a file get the default's.
@Suite struct RequiredAssetTests {
  let scratch = Scratch()

  enum Old {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @PrimaryMagicValue var id: Int
      @OptionMagicValue var scan: MagicAsset<String>?
      @OptionMagicValue var extra: MagicAsset<String>?

      init() {}
      init(_ scan: String?) { self.scan = scan.map { .init(value: $0) } }
    }
  }

  enum New {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.wasNamed("scan")) var image: MagicAsset<String> = .init(value: "blank")
      @OptionMagicValue var extra: MagicAsset<String>?
    }
  }

  /// Another asset property is dropped at the same time, so that all references are counted again.
  enum Fewer {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @PrimaryMagicValue var id: Int
      @MagicValue var scan: MagicAsset<String> = .init(value: "blank")

      static var migrations: Migrations {
        Migrations { MigrationStep { [.deleteValue(name: "extra")] } }
      }
    }
  }

  enum Changed {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @PrimaryMagicValue var id: Int
      @MagicValue var scan: MagicAsset<String> = .init(value: "blank")
      @OptionMagicValue var extra: MagicAsset<String>?

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "scan") { (scan: MagicAsset<String>) in
                MagicAsset(value: (try scan.load() ?? "") + "!")
              }
            ]
          }
        }
      }
    }
  }

  private func makeOld() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: [nil, "one", nil, "two"].map { Old.Sheet($0) })
    await magic.close()
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    try await makeOld()
    let magic = try await MagicData(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  /// The rows that had no file share one.
  private var files: Int {
    scratch.names.filter { $0.split(separator: "/").count == 3 }.count
  }

  @Test func underAnotherName() async throws {
    try await using { magic async throws in
      let plan = try await magic.migrate(New.Sheet.self)
      #expect(plan.kind == .rewriting)
      let sheets = try await magic.object(of: New.Sheet.self)
      #expect(sheets.map(\.image.value) == ["blank", "one", "blank", "two"])
      #expect(files == 3)
      try await magic.remove(sheets[0])
      #expect(files == 3)
      try await magic.remove(sheets[2])
      #expect(files == 2)
    }
  }

  @Test func withAnotherPropertyDropped() async throws {
    try await using { magic async throws in
      let sheets = try await magic.object(of: Fewer.Sheet.self)
      #expect(sheets.map(\.scan.value) == ["blank", "one", "blank", "two"])
      #expect(files == 3)
    }
  }

  @Test func afterAStepThatReadsRows() async throws {
    try await using { magic async throws in
      let sheets = try await magic.object(of: Changed.Sheet.self)
      #expect(sheets.map(\.scan.value) == ["blank", "one!", "blank", "two!"])
      #expect(files == 3)
    }
  }

  @Test func noFileIsCreatedIfEveryRowHasOne() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Old.Sheet("one"))
    await magic.close()
    let again = try await MagicData(path: scratch.file())
    #expect(try await again.object(of: New.Sheet.self).map(\.image.value) == ["one"])
    #expect(files == 1)
    await again.close()
  }
}
