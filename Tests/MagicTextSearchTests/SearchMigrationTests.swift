import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private enum Plain {
  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var text: String

    init() {}
    init(_ text: String) { self.text = text }
  }
}

private enum Searchable {
  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable) var text: String

    init() {}
    init(_ text: String) { self.text = text }
  }
}

private enum Stemmed {
  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable(weight: 3)) var text: String
    static var search: MagicSearch { .words(.stemmed(.english)) }

    init() {}
  }
}

private enum Extended {
  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable) var text: String
    @MagicValue(.indexed) var count: Int = 5
    @OptionMagicValue var other: String?

    init() {}
  }
}

private enum Renamed {
  struct Memo: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable, .wasNamed("text")) var body: String
    static var wasNamed: [String] { ["Note"] }

    init() {}
  }
}

private enum Transformed {
  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable) var text: String
    static var migrations: Migrations {
      Migrations {
        MigrationStep(1) { [.sql("UPDATE \"Note\" SET \"text\" = \"text\" || ' extra'")] }
      }
    }

    init() {}
  }
}

/// The search index is a part of the table of its type, and migrates with it.
@Suite(.everyEngine, .requires([.queries, .assets, .migration])) struct SearchMigrationTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func filled<Note: MagicObject>(_ notes: [Note]) async throws {
    let magic = try await open()
    try await magic.update(contentsOf: notes)
    await magic.close()
  }

  @Test func anIndexIsCreatedForExistingRows() async throws {
    try await filled((1...5_000).map { Plain.Note("note \($0)") })
    let magic = try await open()
    let plan = try await magic.migrationPlan(for: Searchable.Note.self)
    #expect(plan.steps.map(\.summary) == ["the search index of Note is created"])
    let progress = Recorder<Int>()
    _ = try await magic.migrate(Searchable.Note.self) { progress.note($0.rowsDone) }
    #expect(progress.all.last == 5_000)
    #expect(progress.all.count > 2)
    #expect(try await magic.query(Searchable.Note.self).matching("4321 ").count() == 1)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func aReadMigratesTheIndex() async throws {
    try await filled([Plain.Note("swift")])
    let magic = try await open()
    #expect(try await magic.query(Searchable.Note.self).matching("swift").count() == 1)
  }

  @Test func anotherDeclarationBuildsTheIndexAgain() async throws {
    try await filled([Searchable.Note("searching words")])
    let magic = try await open()
    #expect(try await magic.query(Stemmed.Note.self).matching("search word ").count() == 1)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test(.requires(.files)) func anIndexThatIsNotDeclaredIsDropped() async throws {
    try await filled([Searchable.Note("swift")])
    let magic = try await open()
    let note = try #require(try await magic.object(of: Plain.Note.self).first)
    note.text = "other"
    try await magic.update(note)
    let names = try await magic.sql(
      "SELECT name FROM sqlite_master WHERE name LIKE '%search%'"
    ).rows(String.self)
    #expect(names.isEmpty, "\(names)")
  }

  @Test func aNewColumnKeepsTheIndex() async throws {
    try await filled([Searchable.Note("swift"), Searchable.Note("other")])
    let magic = try await open()
    #expect(try await magic.query(Extended.Note.self).matching("swift").count() == 1)
    #expect(try await magic.query(Extended.Note.self).where(\.$count == 5).count() == 2)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func aRenamedTableHasItsIndex() async throws {
    try await filled([Searchable.Note("swift"), Searchable.Note("other")])
    let magic = try await open()
    #expect(try await magic.query(Renamed.Memo.self).matching("swift").count() == 1)
    let memo = try #require(try await magic.query(Renamed.Memo.self).matching("other").first())
    memo.body = "changed"
    try await magic.update(memo)
    #expect(try await magic.query(Renamed.Memo.self).matching("changed").count() == 1)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func rowsThatAStepChangesAreIndexed() async throws {
    try await filled([Searchable.Note("swift"), Searchable.Note("other")])
    let magic = try await open()
    #expect(try await magic.query(Transformed.Note.self).matching("extra").count() == 2)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func otherValuesAreRefused() async throws {
    struct Wrong: MagicObject {
      @MagicValue(.searchable) var count: Int = 0

      init() {}
    }
    struct Weight: MagicObject {
      @MagicValue(.searchable(weight: -1)) var text: String = ""

      init() {}
    }
    struct Prefixes: MagicObject {
      @MagicValue(.searchable) var text: String = ""
      static var search: MagicSearch { .words().prefixes(0...3) }

      init() {}
    }
    let magic = try await open()
    let errors = [
      await #expect(throws: MagicError.self) { try await magic.update(Wrong()) },
      await #expect(throws: MagicError.self) { try await magic.update(Weight()) },
      await #expect(throws: MagicError.self) { try await magic.update(Prefixes()) },
    ]
    #expect(errors.map(\.?.code) == [.invalidSchema, .invalidSchema, .invalidSchema])
  }
}
