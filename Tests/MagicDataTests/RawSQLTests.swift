import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Raw SQL from tasks.
@Suite struct RawSQLTests {
  private func opened() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: [
      Person(id: "a", name: "Ada"), Person(id: "b", name: "Bob"), Person(id: "c", name: "Cy"),
    ])
    return magic
  }

  @Test func rowsAreReadFromATask() async throws {
    let magic = try await opened()
    let names = magic.sql(
      "SELECT \(column: \Person.$name), age FROM \(table: Person.self) WHERE name > \("Ada")")
    #expect(names.description == "SELECT \"name\", age FROM \"Person\" WHERE name > ?")
    let rows = try await names.rows(String.self, Int.self)
    #expect(rows.map { $0.0 } == ["Bob", "Cy"])
    #expect(
      try await names.rows().map(\.values) == [
        [.text("Bob"), .integer(3)], [.text("Cy"), .integer(3)],
      ])
    #expect(
      try await magic.sql("SELECT name FROM Person").rows(String.self) == ["Ada", "Bob", "Cy"])
    #expect(try await #require(names.row(String.self, Int.self)) == ("Bob", 3))
    #expect(try await magic.sql("SELECT count(*) FROM Person").value(Int.self) == 3)
    let objects = try await magic.sql("SELECT z_index FROM Person ORDER BY name DESC").objects(
      of: Person.self)
    #expect(objects.map(\.name) == ["Cy", "Bob", "Ada"])
    await magic.close()
  }

  @Test func aStatementIsRunFromATask() async throws {
    let magic = try await opened()
    #expect(try await magic.sql("UPDATE Person SET age = \(9) WHERE name <> \("Bob")").run() == 2)
    #expect(try await magic.sql("SELECT sum(age) FROM Person").value(Int.self) == 21)
    await magic.close()
  }

  @Test(.enabled(if: SQLiteFeature.returning.isThere, "RETURNING needs SQLite 3.35."))
  func aTransactionAndASnapshotTakeSQL() async throws {
    let magic = try await opened()
    let deleted = try await magic.transaction { transaction in
      try transaction.sql("DELETE FROM Person WHERE name = \("Ada") RETURNING id").rows(String.self)
    }
    #expect(deleted == ["a"])
    let (count, names) = try await magic.read { snapshot in
      (
        try snapshot.sql("SELECT count(*) FROM Person").value(Int.self),
        try snapshot.object(of: Person.self).map(\.name)
      )
    }
    #expect(count == 2)
    #expect(names == ["Bob", "Cy"])
    await magic.close()
  }

  @Test func aReadDoesNotWrite() async throws {
    let magic = try await opened()
    let error = await #expect(throws: MagicError.self) {
      try await magic.sql("DELETE FROM Person RETURNING id").rows(String.self)
    }
    #expect(error?.code == .invalidQuery)
    #expect(try await magic.object(of: Person.self).count == 3)
    await magic.close()
  }

  @Test func aTableIsCreatedByTheStatementThatNamesIt() async throws {
    for kind in [MagicData.Kind.temporary, .memory] {
      let magic = try await MagicData(type: kind)
      #expect(
        try await magic.sql("SELECT count(*) FROM \(table: Person.self)").value(Int.self) == 0)
      #expect(
        try await magic.sql("SELECT z_index FROM Note").objects(of: Note.self).isEmpty)
      await magic.close()
    }
  }

  @Test func aSnapshotContinuesAfterATableWasCreatedForIt() async throws {
    let magic = try await MagicData(type: .temporary)
    let counts = try await magic.read { snapshot in
      try snapshot.sql("SELECT count(*) FROM \(table: Person.self)").rows(Int.self)
        + snapshot.sql("SELECT count(*) FROM \(table: Note.self)").rows(Int.self)
    }
    #expect(counts == [0, 0])
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func aLongStatementEndsSoonAfterItsTaskIsCancelled() async throws {
    let magic = try await opened()
    // Returns no row for hours.
    let endless = magic.sql(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
      SELECT i FROM n WHERE i < 0
      """)
    let task = Task { try await endless.rows(Int.self) }
    try await Task.sleep(nanoseconds: 50_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.sql("SELECT count(*) FROM Person").value(Int.self) == 3)
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func aLongReadInsideATransactionEndsToo() async throws {
    let magic = try await opened()
    let task = Task {
      try await magic.transaction { transaction in
        try transaction.sql("DELETE FROM Person").run()
        return try transaction.sql(
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"
        ).rows(Int.self)
      }
    }
    try await Task.sleep(nanoseconds: 50_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.object(of: Person.self).count == 3)
    await magic.close()
  }

  @Test func aCancelledTaskRunsNothing() async throws {
    let magic = try await opened()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await magic.sql("DELETE FROM Person").run()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.object(of: Person.self).count == 3)
    await magic.close()
  }
}
