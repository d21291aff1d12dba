import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import Testing

/// The tables that relationships become, as they are documented.
@Suite struct RelationshipTableTests {
  let scratch = Scratch()

  /// The first blocks of code below a heading of the format's description.
  private func documented(_ heading: String) throws -> [String: String] {
    let path =
      #filePath.components(separatedBy: "/Tests/")[0] + "/Modules/MagicData/"
      + "MagicData.docc/Format.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n\(heading)\n").dropFirst().first)
      .components(separatedBy: "\n## ")[0]
    var blocks: [String: String] = [:]
    for block in section.components(separatedBy: "```").enumerated() where block.offset % 2 == 1 {
      let language = block.element.prefix { $0 != "\n" }
      blocks[String(language), default: ""] += block.element.dropFirst(language.count)
    }
    return blocks
  }

  /// Statements without what white space and comments add.
  private func normalised(_ sql: String) -> String {
    sql.split(separator: "\n").map { $0.components(separatedBy: "--")[0] }.joined(separator: " ")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacingOccurrences(of: "( ", with: "(").replacingOccurrences(of: " )", with: ")")
      .replacingOccurrences(of: ";", with: "")
  }

  @Test func tablesAreAsTheyAreDrawn() throws {
    let blocks = try documented("## Relationships")
    let type = normalised(try #require(blocks["swift"]))
    let source = normalised(try String(contentsOfFile: #filePath, encoding: .utf8))
    #expect(source.contains(type))
    try scratch.using { store throws in
      _ = try store.object(of: Drawn.Shelf.self)
      let shelf = Drawn.Shelf()
      shelf.room = Drawn.Room()
      try store.update(shelf)
    }
    try expectDrawn(
      "tbl_name = 'Shelf' OR tbl_name LIKE 'magic!_Shelf.%' ESCAPE '!'",
      try #require(blocks["sql"]))
  }

  @Test func theLibrarysTablesAreAsTheyAreDrawn() throws {
    try scratch.using { store throws in try store.update(Needle("a")) }
    try expectDrawn(
      "tbl_name IN ('magic_format', 'magic_catalogue', 'magic_relationships')",
      try #require(documented("## The library's tables")["sql"]))
  }

  /// Expects that the statements which made some tables are those of a drawing, and all of them.
  private func expectDrawn(
    _ tables: String, _ drawing: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    var rest = normalised(drawing)
    let made = try scratch.raw().texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND (\(tables))"
    ).map(normalised)
    for definition in made.sorted(by: { $0.count > $1.count }) {
      #expect(rest.contains(definition), sourceLocation: location)
      rest = rest.replacingOccurrences(of: definition, with: "")
    }
    #expect(rest.allSatisfy { $0.isWhitespace }, "\(rest)", sourceLocation: location)
  }

  @Test func namesWithPointsAndQuotesStayApart() throws {
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

  /// The way back is answered by an index, whatever the size of the tables.
  @Test func theWayBackIsNotScanned() async throws {
    let recorder = Recorder()
    func open() throws -> (ObjectStore, Fruit) {
      let store = try scratch.open(StoreOptions(trace: recorder.note))
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
        // Of what the query itself has found.
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

/// The types of the drawing.
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
