import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import Testing

/// Triggers of the user delete rows without a call of the library: an assigned row ID is not
/// assigned again.
@Suite struct TriggerTests {
  private let test: TestStore
  private var store: MagicObjectStore { test.store }

  private struct Spark: MagicObject {
    @MagicValue var text: String = ""
  }

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [Note("a", rank: 1), Note("b", rank: 2)])
    try test.store.update(Spark())
  }

  private let trigger: MagicSQL =
    "CREATE TRIGGER t AFTER INSERT ON Spark BEGIN DELETE FROM Note WHERE rank = 20; END"

  private func expectNewZIndex(
    _ writer: borrowing some MagicDatabaseWriter & ~Copyable,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try writer.update(Note("c", rank: 3))
    let lost = try writer.update(Note("d", rank: 20))
    try writer.update(Spark())
    let next = try writer.update(Note("e", rank: 9))
    #expect(next > lost, sourceLocation: location)
  }

  @Test func ofThisStore() throws {
    try store.sql(trigger).run()
    try expectNewZIndex(store)
    #expect(try store.query(Note.self).count() == 4)
  }

  @Test func ofThisTransaction() throws {
    try store.transaction { transaction in
      try transaction.sql(trigger).run()
      try expectNewZIndex(transaction)
    }
  }

  @Test func thatAreTemporary() throws {
    try store.sql(
      """
      CREATE TEMP TRIGGER t AFTER INSERT ON main.Spark \
      BEGIN DELETE FROM Note WHERE rank = 20; END
      """
    ).run()
    try expectNewZIndex(store)
  }

  @Test func ofAnotherProcess() throws {
    let other = try SQLiteConnection(path: test.scratch.file())
    try other.execute(
      "CREATE TRIGGER t AFTER INSERT ON Spark BEGIN DELETE FROM Note WHERE rank = 20; END")
    try expectNewZIndex(store)
  }

  @Test func thatInsertARowBeforeEachOfABatch() throws {
    try store.sql(
      """
      CREATE TRIGGER t BEFORE INSERT ON Spark WHEN NEW.text <> 'before' \
      BEGIN INSERT INTO Spark (text) VALUES ('before'); END
      """
    ).run()
    let sparks = ["a", "b"].map { text in
      let spark = Spark()
      spark.text = text
      return spark
    }
    try store.update(contentsOf: sparks)
    let stored = try store.object(of: Spark.self)
    #expect(stored.map(\.text) == ["", "before", "a", "before", "b"])
    let zIndexes = stored.filter { ["a", "b"].contains($0.text) }.map(\.zIndex)
    #expect(sparks.map(\.zIndex) == zIndexes)
  }

  @Test func thatFireAtAChange() throws {
    try store.sql(
      "CREATE TRIGGER t AFTER UPDATE ON Spark BEGIN DELETE FROM Note WHERE rank = 20; END"
    ).run()
    let lost = try store.update(Note("d", rank: 20))
    let spark = try #require(try store.query(Spark.self).first())
    spark.text = "changed"
    try store.update(spark)
    #expect(try store.update(Note("e", rank: 9)) > lost)
  }
}
