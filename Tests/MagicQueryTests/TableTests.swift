import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Files whose tables differ from the types.
@Suite(.everyEngine) struct TableTests {
  enum Old {
    struct Paper: MagicObject {
      @MagicValue var title: String = ""

      init() {}
    }
  }

  enum New {
    struct Paper: MagicObject {
      @MagicValue var title: String = ""
      @MagicValue var pages: Int = 7
      @MagicValue var notes: [Note] = []
      @OptionMagicValue var letter: Letter?

      init() {}
    }
  }

  private func file() throws -> TestStore {
    let test = try TestStore()
    let paper = Old.Paper()
    paper.title = "x"
    try test.store.update(paper)
    test.store.close()
    return test
  }

  @Test(.requires(.files)) func missingColumnsOfAReadOnlyFileAreReadAsTheirDefaults()
    throws
  {
    let test = try file()
    let store = try MagicObjectStore.onTestedEngine(
      .file(test.scratch.file()), options: MagicOptions(readOnly: true))
    defer { store.close() }
    let papers = store.query(New.Paper.self)
    #expect(try papers.where(\.$pages == 7).all().map(\.title) == ["x"])
    #expect(try papers.where(\.$pages > 7).count() == 0)
    #expect(try papers.where { $0.$notes.isEmpty && $0.$notes.count == 0 }.count() == 1)
    #expect(try papers.where { $0.$notes.contains { $0.$rank > 1 } }.count() == 0)
    #expect(try papers.where(\.$letter == nil && \.$letter.$title == nil).count() == 1)
    #expect(try papers.where(\.$letter.$note.$text != "a").count() == 1)
    #expect(try papers.where { $0.$pages.in(Array(0..<100)) }.count() == 1)
    #expect(try papers.select(\.$title, \.$pages).all().map(\.1) == [7])
    #expect(code { try papers.delete() } == .readOnly)
  }

  @Test(.requires(.migration)) func aQueryMigratesATable() throws {
    let test = try file()
    let store = try MagicObjectStore.onTestedEngine(.file(test.scratch.file()))
    defer { store.close() }
    #expect(try store.query(New.Paper.self).where(\.$pages == 7).count() == 1)
    #expect(try store.query(New.Paper.self).update(set: \.$pages += 1) == 1)
    #expect(try store.query(New.Paper.self).select(\.$pages).all() == [8])
  }

  @Test func aTypeThatWasNeverSavedHasNoOwners() throws {
    let test = try TestStore()
    try test.store.update(Target("a"))
    let targets = test.store.query(Target.self)
    #expect(try targets.where { $0.$sources.isEmpty }.count() == 1)
    #expect(try targets.where { $0.$lists.count { $0.$name == "x" } == 0 }.count() == 1)
    let source = Source()
    source.target = try targets.first()
    source.name = "x"
    try test.store.update(source)
    // Statements that were compiled without the table are discarded.
    #expect(try targets.where { $0.$sources.isEmpty }.count() == 0)
    #expect(try targets.where { $0.$lists.count { $0.$name == "x" } == 0 }.count() == 1)
    source.targets = try targets.all()
    try test.store.update(source)
    #expect(try targets.where { $0.$lists.count { $0.$name == "x" } == 1 }.count() == 1)
  }

  @Test func aDatabaseInMemoryIsQueriedToo() throws {
    let store = try MagicObjectStore.onTestedEngine(.memory)
    defer { store.close() }
    try store.update(contentsOf: (0..<10).map { Note("\($0)", rank: $0) })
    #expect(try store.query(Note.self).where(\.$rank > 4).count() == 5)
    #expect(try store.query(Note.self).where { $0.$rank.in(Array(5..<500)) }.all().count == 5)
    #expect(try store.query(Note.self).where { $0.$rank.in(Array(5..<500)) }.delete() == 5)
  }

  @Test func aClosedDatabaseIsNotQueried() throws {
    let test = try TestStore.ofResidents()
    test.store.close()
    #expect(code { try test.store.query(Resident.self).count() } == .closed)
    #expect(code { try test.store.query(Resident.self).delete() } == .closed)
  }

  @Test func anIndexOnAPropertyOfAnotherObjectIsRefused() throws {
    let test = try TestStore()
    #expect(code { try test.store.query(Misindexed.self).all() } == .invalidSchema)
  }
}

struct Target: MagicObject {
  @MagicValue var name: String = ""
  @ReverseMagicValue(\Source.$target) var sources: AsyncReverseMagicSet<Source>
  @ReverseMagicValue(\Source.$targets) var lists: AsyncReverseMagicSet<Source>

  init() {}

  init(_ name: String) { self.name = name }
}

struct Source: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue var target: Target?
  @MagicValue var targets: [Target] = []

  init() {}
}

struct Misindexed: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue var other: Misindexed?

  static var indexes: [MagicIndex<Misindexed>] { [MagicIndex(\.$other.$name)] }

  init() {}
}
