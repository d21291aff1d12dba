import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Every step that fails because of what it declares is `.migrationFailed`.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct FailedStepTests {
  let scratch = Scratch()

  enum Old {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      init() {}
      init(_ label: String) { (self.label, weight) = (label, 2.5) }
    }
  }

  enum Mistyped {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      static var migrations: Migrations {
        Migrations {
          MigrationStep { [] }
          MigrationStep { [.transformValue(name: "label") { (label: Int) in "\(label)" }] }
        }
      }
    }
  }

  enum Misspelt {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [.transformRows { old, new in try new.set("label", to: old.value("lable") ?? "") }]
          }
        }
      }
    }
  }

  enum Unstorable {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "weight") { (_: Double) in Double.nan }] }
        }
      }
    }
  }

  enum Unknown {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      static var migrations: Migrations {
        Migrations { MigrationStep { [.sql("UPDATE Crate SET lable = 'x'")] } }
      }
    }
  }

  struct Unwilling: Error {}

  enum Throwing {
    struct Crate: MagicObject {
      static var tableName: String { "Crate" }
      @MagicValue var label: String
      @MagicValue var weight: Double
      static var migrations: Migrations {
        Migrations { MigrationStep { [.transformRows { _, _ in throw Unwilling() }] } }
      }
    }
  }

  private func failure<Model: MagicObject>(of type: Model.Type) async throws -> MagicError {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: ["a", "b"].map { Old.Crate($0) })
    await magic.close()
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await again.migrate(type) }
    #expect(try await again.object(of: Old.Crate.self).map(\.label) == ["a", "b"])
    await again.close()
    let failure = try #require(error)
    #expect(failure.code == .migrationFailed)
    #expect(failure.type == "Crate")
    #expect(failure.message.contains("of type Crate"))
    #expect(failure.message.ranges(of: "Nothing was changed.").count == 1, "\(failure)")
    return failure
  }

  @Test func aClosureForAnotherTypeNamesTheStepAndTheColumn() async throws {
    let error = try await failure(of: Mistyped.Crate.self)
    #expect((error.cause as? MagicError)?.code == .cannotDecode)
    #expect(error.message.contains("step 2"))
    #expect(error.message.contains("row 1"))
    #expect(error.message.contains("Column label"), "\(error)")
  }

  @Test func aMisspeltColumnNamesTheStepAndTheColumn() async throws {
    let error = try await failure(of: Misspelt.Crate.self)
    #expect((error.cause as? MagicError)?.code == .invalidQuery)
    #expect(error.message.contains("step 1"))
    #expect(error.message.contains("has no column lable"), "\(error)")
  }

  @Test func aValueThatCannotBeStoredNamesTheStepAndTheColumn() async throws {
    let error = try await failure(of: Unstorable.Crate.self)
    #expect((error.cause as? MagicError)?.code == .cannotEncode)
    #expect(error.message.contains("Column weight"), "\(error)")
  }

  @Test(.requires(.files)) func invalidSQLNamesWhatSQLiteFound() async throws {
    let error = try await failure(of: Unknown.Crate.self)
    #expect(error.cause is SQLiteError)
    #expect(error.message.contains("no such column: lable"), "\(error)")
  }

  @Test func anErrorOfTheClosureIsNamedByItsType() async throws {
    let error = try await failure(of: Throwing.Crate.self)
    #expect(error.cause is Unwilling)
    #expect(error.message.contains("Unwilling"), "\(error)")
  }
}
