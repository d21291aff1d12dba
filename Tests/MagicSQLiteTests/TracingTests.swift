import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct TracingTests {
  @Test func theSQLIsTracedWithoutItsValues() throws {
    let log = Recorder<String>()
    let connection = try memory(.init(trace: { log.note($0) }))
    try connection.execute("CREATE TABLE t (a)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.bind("s3cret", at: 1)
    try insert.run()
    #expect(log.all.suffix(2) == ["CREATE TABLE t (a)", "INSERT INTO t VALUES (?)"])
    #expect(!log.all.contains { $0.contains("s3cret") })
  }

  @Test func theValuesAreTracedIfTheOptionIsSet() throws {
    let log = Recorder<String>()
    let connection = try memory(.init(trace: { log.note($0) }, tracesValues: true))
    let select = try connection.prepare("SELECT ?, ?, ?")
    try select.bind("it's", at: 1)
    try select.bind(Int64(7), at: 2)
    try select.run()
    #expect(log.all.last == "SELECT 'it''s', 7, NULL")
  }

  @Test func aTriggersStatementsAreTracedAsComments() throws {
    let log = Recorder<String>()
    let connection = try memory(.init(trace: { log.note($0) }, tracesValues: true))
    try connection.execute(
      """
      CREATE TABLE t (a); CREATE TABLE u (a);
      CREATE TRIGGER copy AFTER INSERT ON t BEGIN INSERT INTO u VALUES (NEW.a); END
      """)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(log.all.contains("INSERT INTO t VALUES (1)"))
    #expect(log.all.last?.hasPrefix("--") == true)
  }

  @Test func aStatementIsNoLongerTracedAfterClose() throws {
    let log = Recorder<String>()
    let connection = try memory(.init(trace: { log.note($0) }))
    let select = try connection.prepare("SELECT 1")
    connection.close()
    let count = log.all.count
    _ = try? select.step()
    #expect(log.all.count == count)
  }
}
