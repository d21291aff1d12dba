import CMagicSQLite
import Workloads

/// A rebuild of a table, as SQLite's documentation recommends for changes of tables.
extension CTwin {
  func rebuild() throws {
    try execute(
      """
      PRAGMA foreign_keys = OFF;
      BEGIN IMMEDIATE;
      CREATE TABLE new_person (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT,
        age NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);
      INSERT INTO new_person
        SELECT z_index, id, name, CAST(age AS REAL), height, nickname, photo FROM person;
      DROP TABLE person;
      ALTER TABLE new_person RENAME TO person;
      CREATE UNIQUE INDEX person_id ON person (id);
      COMMIT;
      PRAGMA foreign_keys = ON
      """)
  }

  func sumUpRebuilt() throws -> Checksum {
    let statement = try prepare("SELECT count(name), sum(age) FROM person")
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    guard try step(statement) else { return checksum }
    checksum.add(Int(sqlite3_column_int64(statement, 0)))
    checksum.add(Int(sqlite3_column_double(statement, 1)))
    return checksum
  }
}
