import Foundation
import MagicData
import MagicDataTesting
import Testing

@Suite struct FixtureMigrationTests {
  @Test func theRowsAreThoseOfTheNewTypes() async throws {
    let recorded = try await Recorded()
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    let plan = try await fixture.migrate(Second.Person.self)
    #expect(plan.kind == .destroying && plan.refused.isEmpty)
    let magic = try await fixture.open()
    let people = try await magic.object(of: Second.Person.self)
    #expect(people.compactMap(\.fullName).sorted() == ["Ada", "Bob", "Eve"])
    #expect(people.allSatisfy { $0.age == 18 })
    let ada = try #require(people.first { $0.fullName == "Ada" })
    #expect(Set(ada.friends.compactMap(\.fullName)) == ["Bob", "Eve"])
    await magic.close()
  }

  @Test func aSecondMigrationHasNothingToDo() async throws {
    let recorded = try await Recorded()
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    try await fixture.migrate(Second.Person.self)
    #expect(try await fixture.migrate(Second.Person.self).isEmpty)
  }

  @Test func theFirstVersionNeedsNothing() async throws {
    let recorded = try await Recorded()
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    #expect(try await fixture.migrate(First.Person.self).isEmpty)
  }

  enum Undeclared {
    struct Person: MagicObject {
      @PrimaryMagicValue var id: String
      @MagicValue var name: String
    }
  }

  @Test func aRefusedMigrationIsThrownWithItsPlan() async throws {
    let recorded = try await Recorded()
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    let error = await #expect(throws: MagicError.self) {
      try await fixture.migrate(Undeclared.Person.self)
    }
    #expect(error?.code == .needsMigration)
    #expect(error?.plan?.refused.isEmpty == false)
    // It is closed again, and unchanged.
    let magic = try await fixture.open()
    #expect(try await magic.object(of: First.Person.self).count == 3)
    await magic.close()
  }

  @Test func findingsOfVerifyAreThrown() async throws {
    let recorded = try await Recorded()
    let names = try recorded.content().keys.filter { $0.hasSuffix(".png") }
    let folder = recorded.file.deletingLastPathComponent()
    try FileManager.default.removeItem(at: folder.appendingPathComponent(try #require(names.first)))
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    let error = await #expect(throws: MagicError.self) {
      try await fixture.migrate(Second.Person.self)
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("missingFile") == true)
  }

  /// Files that some systems create in every folder that was opened.
  @Test func unknownFilesAreNoFault() async throws {
    let recorded = try await Recorded()
    try Data([1]).write(to: recorded.assets.appendingPathComponent("notes.txt"))
    let fixture = try MagicMigrationFixture(copying: recorded.file)
    try await fixture.migrate(Second.Person.self)
    let migrated = try await fixture.open()
    #expect(try await migrated.object(of: Second.Person.self).count == 3)
    #expect(try await migrated.verify().isSound)
    await migrated.close()
  }
}
