import CMagicSQLite
import Testing

@testable import Counting

@Suite(.serialized)
struct StatementCounterTests {
  @Test func statementsAndRowsAreCountedAndTriggersAreNot() throws {
    try StatementCounter.start()
    var database: OpaquePointer?
    #expect(sqlite3_open(":memory:", &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    let tables = """
      CREATE TABLE one (value); CREATE TABLE two (value);
      CREATE TRIGGER copies AFTER INSERT ON one BEGIN INSERT INTO two VALUES (new.value); END
      """
    #expect(sqlite3_exec(database, tables, nil, nil, nil) == SQLITE_OK)
    let start = Reading.now
    let work = "BEGIN; INSERT INTO one VALUES (1), (2); COMMIT; SELECT * FROM two"
    #expect(sqlite3_exec(database, work, nil, nil, nil) == SQLITE_OK)
    let end = Reading.now
    #expect((end - start).statements == 4)
    #expect((end - start).rows == 2)
  }
}
