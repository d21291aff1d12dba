import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The tables of relationships, as the documentation defines them.
@Suite struct RelationshipTableTests {
  let scratch = Scratch()

  private func drawing(_ heading: String) throws -> FormatDrawing {
    let root = #filePath.components(separatedBy: "/Tests/")[0]
    return try FormatDrawing(under: heading, in: URL(fileURLWithPath: root))
  }

  @Test func tablesAreAsDocumented() throws {
    let drawing = try drawing("## Relationships")
    #expect(drawing.isPart(of: try String(contentsOfFile: #filePath, encoding: .utf8)))
    try scratch.using { store throws in
      _ = try store.object(of: Drawn.Shelf.self)
      let shelf = Drawn.Shelf()
      shelf.room = Drawn.Room()
      try store.update(shelf)
    }
    try expectDrawn(
      "tbl_name = 'Shelf' OR tbl_name LIKE 'magic!_Shelf.%' ESCAPE '!'", drawing)
  }

  @Test func theTablesOfTheLibraryAreAsDocumented() throws {
    try scratch.using { store throws in try store.update(Needle("a")) }
    try expectDrawn(
      "tbl_name IN ('magic_format', 'magic_catalogue', 'magic_columns', 'magic_relationships')",
      drawing("## The library's tables"))
  }

  /// Expects that the statements that created some tables are exactly those of the documentation.
  private func expectDrawn(
    _ tables: String, _ drawing: FormatDrawing, at location: SourceLocation = #_sourceLocation
  ) throws {
    let made = try scratch.raw().texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND (\(tables))")
    #expect(drawing.differences(from: made) == [], sourceLocation: location)
  }

  @Test func namesWithPointsAndQuotesAreDistinguished() throws {
    struct Dotted: MagicObject {
      static var tableName: String { "a.b" }
      @MagicValue(.named("c")) var first: [Needle] = []
      @MagicValue(.named("c\"d")) var quoted: [Needle] = []
    }
    struct Plain: MagicObject {
      static var tableName: String { "a" }
      @MagicValue(.named("b.c")) var first: [Needle] = []
      @OptionMagicValue(.named("le\"af.x")) var leaf: Needle?
    }
    try scratch.using { store throws in
      let (dotted, plain) = (Dotted(), Plain())
      (dotted.first, dotted.quoted) = ([Needle("1")], [Needle("2"), Needle("3")])
      (plain.first, plain.leaf) = ([Needle("4")], Needle("5"))
      try store.update(dotted)
      try store.update(plain)
      #expect(try store.object(of: Dotted.self)[0].first.map(\.text) == ["1"])
      #expect(try store.object(of: Dotted.self)[0].quoted.map(\.text) == ["2", "3"])
      #expect(try store.object(of: Plain.self)[0].first.map(\.text) == ["4"])
      try store.remove(try #require(plain.leaf))
      #expect(try store.object(of: Plain.self)[0].leaf == nil)
      try store.removeAll(of: Needle.self)
      #expect(try store.object(of: Dotted.self)[0].quoted.isEmpty)
    }
  }

  @Test func everyRelationshipIsInTheCatalogue() throws {
    try scratch.using { store throws in try store.update(Whole.Tree("a")) }
    #expect(
      try scratch.raw().texts(
        "SELECT owner_table || ' ' || property || ' ' || kind || ' ' || target_table || ' ' "
          + "|| on_delete || ' ' || ifnull(link_table, '-') FROM magic_relationships "
          + "ORDER BY property") == [
          "Tree leaf one Needle nullify -", "Tree list list Needle nullify magic_Tree.list",
          "Tree named dictionary Needle nullify magic_Tree.named",
          "Tree set set Needle nullify magic_Tree.set",
        ])
    #expect(
      try scratch.raw().texts("SELECT table_name FROM magic_catalogue") == ["Needle", "Tree"])
  }

  /// An index answers reads of an inverse relationship, for tables of any size.
  @Test func inverseRelationshipsDoNotScanTables() async throws {
    let recorder = Recorder<String>()
    func open() throws -> (MagicObjectStore, Fruit) {
      let store = try scratch.open(MagicOptions(trace: recorder.note))
      let fruit = Fruit()
      let bowl = Bowl()
      (bowl.best, bowl.list, bowl.set, bowl.named) = (fruit, [fruit], [fruit], ["a": fruit])
      try store.update(bowl)
      return (store, fruit)
    }
    let (store, fruit) = try open()
    defer { store.close() }
    recorder.clear()
    for bowls in [fruit.best, fruit.listed, fruit.inSet, fruit.named] {
      #expect(try await bowls.count == 1)
      for try await bowl in bowls { #expect(bowl.list.count == 1) }
    }
    let connection = try scratch.raw()
    let reads = Set(recorder.all.filter { $0.hasPrefix("SELECT") && $0.contains("Bowl") })
    #expect(reads.count >= 8)
    for sql in reads {
      let plan = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
      var details: [String] = []
      while try plan.step() { details.append(plan.column(3).text) }
      #expect(!details.isEmpty)
      for detail in details where detail.hasPrefix("SCAN") {
        // Of the rows that the query itself has found.
        #expect(detail.contains("json_each") || detail.contains("reached"), "\(sql): \(detail)")
      }
    }
  }

  struct Fruit: MagicObject {
    @MagicValue var name: String = "f"
    @ReverseMagicValue(\Bowl.$best) var best: AsyncReverseMagicSet<Bowl>
    @ReverseMagicValue(\Bowl.$list) var listed: AsyncReverseMagicSet<Bowl>
    @ReverseMagicValue(\Bowl.$set) var inSet: AsyncReverseMagicSet<Bowl>
    @ReverseMagicValue(\Bowl.$named) var named: AsyncReverseMagicSet<Bowl>
  }

  struct Bowl: MagicObject {
    @OptionMagicValue var best: Fruit?
    @MagicValue var list: [Fruit] = []
    @MagicValue var set: MagicalSet<Fruit> = []
    @MagicValue var named: [String: Fruit] = [:]
  }
}

/// The types of the documented example.
private enum Drawn {
  struct Room: MagicObject { @MagicValue var name: String = "" }
  struct Book: MagicObject { @MagicValue var title: String = "" }
  struct Label: MagicObject { @MagicValue var text: String = "" }

  struct Shelf: MagicObject {
    @MagicValue var room: Room
    @OptionMagicValue var below: Shelf?
    @MagicValue var books: [Book] = []
    @MagicValue(.onDelete(.cascade)) var labels: MagicalSet<Label> = []
    @MagicValue(.onDelete(.deny)) var loans: [String: Book] = [:]

    init() {}
  }
}
