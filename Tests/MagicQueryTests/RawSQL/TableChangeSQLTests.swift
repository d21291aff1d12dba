import EngineConformance
import Foundation
import MagicQuery
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Tables that raw SQL changes under the statements of their types.
@Suite struct TableChangeSQLTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func anAddedColumnDoesNotAffectStatements() throws {
    _ = try fleet.store.sql("SELECT * FROM Sailor").rows()
    try fleet.store.sql("ALTER TABLE Sailor ADD COLUMN shoes INTEGER").run()
    #expect(try fleet.names == ["Ada", "Bob", "Cy"])
    try fleet.store.update(Sailor("Dee"))
    let rows = try fleet.store.sql("SELECT * FROM Sailor").rows()
    #expect(rows[0].columns == ["z_index", "id", "name", "age", "rank", "pay", "shoes"])
    #expect(rows.count == 4)
  }

  @Test func aSelectionOfAllColumnsHasTheCurrentColumns() throws {
    try fleet.store.sql("CREATE TABLE plain (a)").run()
    try fleet.store.sql("INSERT INTO plain VALUES (1)").run()
    let all = fleet.store.sql("SELECT * FROM plain")
    #expect(try all.rows(Int.self) == [1])
    try fleet.store.sql("ALTER TABLE plain ADD COLUMN b DEFAULT 2").run()
    #expect(throws: MagicError.self) { try all.rows(Int.self) }
    #expect(try #require(try all.row(Int.self, Int.self)) == (1, 2))
    try fleet.store.sql("DROP TABLE plain").run()
    let error = #expect(throws: MagicError.self) { try all.rows() }
    #expect(error?.code == .invalidQuery)
  }

  @Test func aDroppedTableIsATypedError() throws {
    _ = try fleet.store.has(of: Sailor.self, primary: "ada")
    try fleet.store.sql("DROP TABLE Sailor").run()
    let calls: [() throws -> Void] = [
      { _ = try fleet.names }, { _ = try fleet.store.has(of: Sailor.self, primary: "ada") },
      { try fleet.store.update(Sailor("Dee")) }, { try fleet.store.removeAll(of: Sailor.self) },
      { _ = try fleet.store.sql("SELECT z_index FROM \(table: Sailor.self)").rows() },
    ]
    for call in calls { #expect(throws: MagicError.self) { try call() } }
    try fleet.store.update(Pennant("x"))
  }

  @Test func aDropThatIsRolledBackRestoresTheTable() throws {
    #expect(throws: Enough.self) { try dropAndThrow() }
    try fleet.store.update(Sailor("Fay"))
    #expect(try fleet.names == ["Ada", "Bob", "Cy", "Fay"])
  }

  private struct Enough: Error {}

  private func dropAndThrow() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Sailor("Dee"))
      try transaction.sql("DROP TABLE Sailor").run()
      #expect(throws: MagicError.self) { try transaction.update(Sailor("Eve")) }
      #expect(throws: MagicError.self) { try transaction.object(of: Sailor.self) }
      throw Enough()
    }
  }
}

/// Two versions of a type that another refers to.
private enum Old {
  struct Port: MagicObject {
    static var tableName: String { "SQLPort" }
    @MagicValue var name: String = "Piraeus"
    init() {}
  }

  struct Route: MagicObject {
    static var tableName: String { "SQLRoute" }
    @OptionMagicValue var port: Port?
    init() {}
  }
}

private enum New {
  struct Port: MagicObject {
    static var tableName: String { "SQLPort" }
    @MagicValue var name: String = "Piraeus"
    @MagicValue(.indexed) var depth: Int = 9
    init() {}
  }

  struct Route: MagicObject {
    static var tableName: String { "SQLRoute" }
    @OptionMagicValue var port: Port?
    init() {}
  }
}

/// Outdated tables that are migrated by the SQL that uses them.
@Suite struct OutdatedTableSQLTests {
  private func withOldFile(_ body: (MagicObjectStore) throws -> Void) throws {
    let scratch = Scratch()
    let old = try MagicObjectStore.open(.file(scratch.file()))
    let route = Old.Route()
    route.port = Old.Port()
    try old.update(route)
    old.close()
    let store = try MagicObjectStore.open(.file(scratch.file()))
    defer { store.close() }
    try body(store)
  }

  @Test func aColumnOfTheStatementIsAdded() throws {
    try withOldFile { store in
      let depths = try store.sql(
        "SELECT \(column: \New.Port.$depth) FROM \(table: New.Port.self)"
      ).rows(Int.self)
      #expect(depths == [9])
    }
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aTransactionReturnsObjectsThatReferToAnOutdatedTable() throws {
    try withOldFile { store in
      try store.transaction { transaction in
        let routes = try transaction.sql(
          "INSERT INTO SQLRoute (port) SELECT z_index FROM SQLPort RETURNING z_index"
        ).objects(of: New.Route.self)
        #expect(routes.map { $0.port?.depth } == [9])
      }
      #expect(try store.sql("SELECT count(*) FROM SQLRoute").value(Int.self) == 2)
    }
  }
}
