import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Names of types, columns and indexes that are used again for others.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct NamesInTurnTests {
  let scratch = Scratch()

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  // MARK: Types

  enum Then {
    struct Clerk: MagicObject {
      static var tableName: String { "Clerk" }
      @MagicValue var name: String
      @MagicValue(.onDelete(.cascade)) var aides: [Aide] = []
      init() {}
      init(_ name: String) { self.name = name }
    }

    struct Aide: MagicObject {
      static var tableName: String { "Aide" }
      @MagicValue var name: String
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  /// The type clerk has been renamed to chief, and the type aide to clerk.
  enum Now {
    struct Chief: MagicObject {
      static var wasNamed: [String] { ["Clerk"] }
      static var tableName: String { "Chief" }
      @MagicValue var name: String
      @MagicValue(.onDelete(.cascade)) var aides: [Clerk] = []
    }

    struct Clerk: MagicObject {
      static var wasNamed: [String] { ["Aide"] }
      static var tableName: String { "Clerk" }
      @MagicValue var name: String
    }
  }

  private func makeThen() async throws {
    try await using { magic async throws in
      let clerk = Then.Clerk("a")
      clerk.aides = [Then.Aide("b"), Then.Aide("c")]
      try await magic.update(clerk)
    }
  }

  @Test func aTypeTakesTheFormerNameOfAnotherThatRefersToIt() async throws {
    try await makeThen()
    try await using { magic async throws in
      let chiefs = try await magic.object(of: Now.Chief.self)
      #expect(chiefs.map(\.name) == ["a"])
      #expect(chiefs[0].aides.map(\.name) == ["b", "c"])
      #expect(try await magic.object(of: Now.Clerk.self).map(\.name) == ["b", "c"])
      try await magic.remove(chiefs[0])
      #expect(try await magic.object(of: Now.Clerk.self).isEmpty)
    }
  }

  @Test func typesAreRenamedTogetherInAnOrderThatKeepsTheirRows() async throws {
    try await makeThen()
    try await using { magic async throws in
      let plan = try await magic.migrationPlan(for: Now.Clerk.self, Now.Chief.self)
      #expect(plan.steps.prefix(2).map(\.type) == ["Chief", "Clerk"])
      try await magic.migrate(Now.Clerk.self, Now.Chief.self)
      #expect(try await magic.object(of: Now.Chief.self).map(\.name) == ["a"])
      #expect(try await magic.object(of: Now.Clerk.self).map(\.name) == ["b", "c"])
    }
  }

  // MARK: Indexes

  enum Mails {
    struct User: MagicObject {
      static var tableName: String { "User" }
      @MagicValue(.unique) var email: String
      init() {}
      init(_ email: String) { self.email = email }
    }
  }

  enum NewMails {
    struct User: MagicObject {
      static var tableName: String { "User" }
      @OptionMagicValue(.unique) var email: String?
      @MagicValue var oldEmail: String

      static var migrations: Migrations {
        Migrations { MigrationStep { [.renameValue(name: "email", to: "oldEmail")] } }
      }

      init() {}
      init(_ email: String) { (self.email, oldEmail) = (email, "same") }
    }
  }

  @Test(.requires(.files)) func anIndexIsOnThePropertyThatHasTheNameNow() async throws {
    try await using { try await $0.update(contentsOf: ["a", "b"].map { Mails.User($0) }) }
    try await using { magic async throws in
      try await magic.update(contentsOf: ["c", "d"].map { NewMails.User($0) })
      #expect(
        try await magic.object(of: NewMails.User.self).map(\.oldEmail) == [
          "a", "b", "same", "same",
        ])
      let error = await #expect(throws: MagicError.self) {
        try await magic.update(NewMails.User("c"))
      }
      #expect(error?.code == .notUnique)
    }
    let columns = try scratch.raw().texts(
      "SELECT name FROM pragma_index_info('User(email) unique')")
    #expect(columns == ["email"])
  }

  // MARK: Equal schemas

  enum Ordered {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var width: Int = 1
      @MagicValue var height: Int = 2
    }
  }

  enum Reordered {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var height: Int = 2
      @MagicValue var width: Int = 1
    }
  }

  @Test(.timeLimit(.minutes(5))) func aDifferentOrderOfPropertiesIsNoChange() async throws {
    try await using { _ = try await $0.update(Ordered.Box()) }
    try await using { magic async throws in
      #expect(try await magic.migrationPlan(for: Reordered.Box.self).isEmpty)
      #expect(try await magic.object(of: Reordered.Box.self).map(\.width) == [1])
      try await magic.update(Reordered.Box())
      #expect(try await magic.object(of: Reordered.Box.self).map(\.height) == [2, 2])
    }
  }

  enum Idle {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var width: Int = 1
      @MagicValue var height: Int = 2

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.deleteValue(name: "depth"), .renameValue(name: "a", to: "b")] }
        }
      }
    }
  }

  @Test(.requires(.files), .timeLimit(.minutes(5))) func stepsWithoutEffectAreRecorded()
    async throws
  {
    try await using { _ = try await $0.update(Ordered.Box()) }
    try await using { magic async throws in
      try await magic.update(Idle.Box())
      #expect(try await magic.object(of: Idle.Box.self).count == 2)
    }
    let version = try scratch.raw().integer("SELECT version FROM magic_catalogue")
    #expect(version == 1)
  }

  enum Spelled {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var width: Int = 1

      static var migrations: Migrations {
        Migrations { MigrationStep { [.deleteValue(name: "HEIGHT"), .deleteValue(name: "Lids")] } }
      }
    }
  }

  enum Lidded {
    struct Lid: MagicObject {
      @MagicValue var name: String = "lid"
    }

    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var width: Int = 1
      @OptionMagicValue var height: Lid?
      @MagicValue var lids: [Lid] = []
    }
  }

  @Test(.requires(.files)) func theNamesInAStepAreCaseInsensitive() async throws {
    try await using { magic async throws in
      let box = Lidded.Box()
      (box.height, box.lids) = (Lidded.Lid(), [Lidded.Lid()])
      try await magic.update(box)
    }
    try await using { magic async throws in
      #expect(try await magic.object(of: Spelled.Box.self).map(\.width) == [1])
    }
    let left = try scratch.raw().integer("SELECT count(*) FROM magic_relationships")
    #expect(left == 0)
  }
}
