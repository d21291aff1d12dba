import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The columns of owned lists, as the documentation defines them, and what is written to them.
@Suite struct OwnedTableTests {
  let scratch = Scratch()

  @Test func tablesAreAsDocumented() throws {
    let root = #filePath.components(separatedBy: "/Tests/")[0]
    let drawing = try FormatDrawing(
      under: "## Owned lists", in: URL(fileURLWithPath: root))
    #expect(drawing.isPart(of: try String(contentsOfFile: #filePath, encoding: .utf8)))
    try scratch.using { store throws in try store.update(OwnedDrawn.Order()) }
    let made = try scratch.raw().texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ('Order', 'Line')")
    #expect(drawing.differences(from: made) == [])
    #expect(
      try scratch.raw().texts(
        "SELECT property || ' ' || kind || ' ' || target_table || ' ' || on_delete || ' ' "
          + "|| ifnull(link_table, '-') FROM magic_relationships ORDER BY property")
        == ["gifts owned Line deny -", "lines owned Line cascade -"])
    #expect(
      try scratch.raw().texts("SELECT property || ' ' || form FROM magic_columns ORDER BY property")
        == ["article text", "customer text", "gifts list", "lines list"])
  }

  @Test func theColumnsAreAddedToATableWithRows() throws {
    try scratch.using { store throws in try store.update(OwnedDrawn.Line("first")) }
    try scratch.using { store throws in
      let order = OwnedDrawn.Order()
      order.lines = try store.object(of: OwnedDrawn.Line.self) + [OwnedDrawn.Line("second")]
      try store.update(order)
    }
    try scratch.using { store throws in
      // A program that has only the type of the members.
      try store.update(OwnedDrawn.Line("third"))
      #expect(try store.object(of: OwnedDrawn.Line.self).count == 3)
    }
    try scratch.using { store throws in
      let order = try #require(try store.object(of: OwnedDrawn.Order.self).first)
      #expect(order.lines.map(\.article) == ["first", "second"])
      #expect(try store.verify().findings == [])
    }
  }

  @Test func aRolledBackTransactionAddsNoColumns() throws {
    try scratch.using { store throws in
      try store.update(OwnedDrawn.Line("first"))
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try store.transaction { transaction in
          try transaction.update(OwnedDrawn.Order(["a", "b"]))
          throw Stop()
        }
      }
      try store.update(OwnedDrawn.Order(["c", "d"]))
      let order = try #require(try store.object(of: OwnedDrawn.Order.self).first)
      #expect(order.lines.map(\.article) == ["c", "d"])
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func onlyTheRowsOfMembersAreWritten() throws {
    let counted = try CountedStore()
    let order = OwnedDrawn.Order(["a", "b", "c", "d"])
    try counted.store.update(OwnedDrawn.Order())
    // The order and four lines, with their owners and positions.
    try counted.expectSaving(order, writes: 5)
    order.lines.swapAt(0, 3)
    try counted.expectSaving(order, writes: 2)
    order.lines.append(order.lines.removeFirst())
    try counted.expectSaving(order, writes: 1)
    order.lines.removeLast()
    try counted.expectSaving(order, writes: 1)
    order.lines.insert(OwnedDrawn.Line("e"), at: 1)
    try counted.expectSaving(order, writes: 2)
    let other = OwnedDrawn.Order()
    other.lines = [order.lines[0]]
    try counted.expectSaving(other, writes: 2)
    try counted.expectSaving(order, writes: 0)
    let orders = try counted.store.object(of: OwnedDrawn.Order.self)
    #expect(orders.map { $0.lines.count } == [0, 3, 1])
    // The order, its three lines, and the highest row ID of the lines.
    let cost = try counted.cost { try counted.store.remove(order) }
    #expect(cost.rows == 5, "\(cost.statements)")
  }

  @Test func eachListIsFetchedWithOneStatement() throws {
    let counted = try CountedStore()
    try counted.store.update(
      contentsOf: (0..<20).map { OwnedDrawn.Order(["a\($0)", "b\($0)"]) })
    counted.recorder.clear()
    let orders = try counted.store.object(of: OwnedDrawn.Order.self)
    #expect(orders.allSatisfy { $0.lines.count == 2 && $0.gifts.isEmpty })
    #expect(counted.recorder.reading("Order").count == 1)
    // The owners and positions of both lists; the lines.
    #expect(counted.recorder.reading("Line").count == 3)
  }

  @Test func noReadScansTheTableOfTheMembers() throws {
    let counted = try CountedStore()
    let orders = (0..<20).map { OwnedDrawn.Order(["a\($0)", "b\($0)"]) }
    try counted.store.update(contentsOf: orders)
    counted.recorder.clear()
    for order in try counted.store.object(of: OwnedDrawn.Order.self) {
      order.lines.append(OwnedDrawn.Line("c"))
      order.lines.swapAt(0, 1)
      try counted.store.update(order)
    }
    try counted.store.remove(orders[3])
    let connection = try counted.scratch.raw()
    let statements = Set(counted.recorder.work.filter { $0.contains("Order.lines") })
    #expect(statements.count >= 5)
    for sql in statements {
      let plan = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
      while try plan.step() {
        let detail = plan.column(3).text
        #expect(
          !detail.hasPrefix("SCAN") || detail.contains("json_each"), "\(sql): \(detail)")
      }
    }
    let deletion = try connection.prepare(
      "EXPLAIN QUERY PLAN DELETE FROM \"Order\" WHERE z_index = 1")
    while try deletion.step() { #expect(!deletion.column(3).text.hasPrefix("SCAN")) }
  }

  @Test func theLastOfALongListIsInsertedAnywhere() throws {
    let counted = try CountedStore()
    let order = OwnedDrawn.Order((0..<200).map { "\($0)" })
    try counted.store.update(order)
    var expected = (0..<200).map { "\($0)" }
    for number in 0..<100 {
      order.lines.insert(OwnedDrawn.Line("new \(number)"), at: 100)
      expected.insert("new \(number)", at: 100)
      try counted.store.update(order)
    }
    let stored = try counted.store.object(of: OwnedDrawn.Order.self)
    #expect(stored.map { $0.lines.map(\.article) } == [expected])
    #expect(try counted.store.verify().findings == [])
  }

  @Test func aMissingOwnerIsFound() throws {
    try scratch.using { store throws in try store.update(OwnedDrawn.Order(["a", "b"])) }
    let connection = try scratch.raw()
    try connection.execute(
      "PRAGMA foreign_keys = OFF; UPDATE \"Line\" SET \"Order.lines owner\" = 77 WHERE z_index = 2")
    connection.close()
    try scratch.using { store throws in
      let findings = try store.verify().findings
      #expect(findings.map(\.kind) == [.brokenReference])
      #expect(findings.first?.table == "Line")
      #expect(findings.first?.column == "Order.lines owner")
      #expect(findings.first?.zIndex?.rawValue == 2)
      #expect(try store.object(of: OwnedDrawn.Order.self)[0].lines.map(\.article) == ["a"])
    }
  }
}

/// The types of the documented example.
private enum OwnedDrawn {
  struct Line: MagicObject {
    @MagicValue var article: String = ""

    init() {}
  }

  struct Order: MagicObject {
    @MagicValue var customer: String = ""
    @MagicValue(.owned, .onDelete(.cascade)) var lines: [Line] = []
    @MagicValue(.owned, .onDelete(.deny)) var gifts: [Line] = []

    init() {}
  }
}

extension OwnedDrawn.Line {
  fileprivate init(_ article: String) {
    self.article = article
  }
}

extension OwnedDrawn.Order {
  fileprivate init(_ articles: [String]) {
    lines = articles.map { OwnedDrawn.Line($0) }
  }
}
