import CMagicSQLite
import Workloads

/// Changes of people, and searches by an index.
extension CTwin {
  static let residentTable = """
    CREATE TABLE resident (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      age INTEGER NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);
    CREATE UNIQUE INDEX resident_id ON resident (id);
    CREATE INDEX resident_age ON resident (age)
    """

  func insertResidents(_ people: [PlainPerson]) throws {
    try insert(people)
    try execute(
      "INSERT INTO resident SELECT * FROM person ORDER BY z_index; DELETE FROM person")
  }

  func filter(ages: [Int], _ run: Run) throws -> Checksum {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM resident WHERE age = ?")
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    for age in ages {
      let start = run.begin()
      var people: [FetchedPerson] = []
      sqlite3_bind_int64(statement, 1, Int64(age))
      while try step(statement) { people.append(person(statement)) }
      sqlite3_reset(statement)
      checksum.add(people)
      run.end(start)
    }
    return checksum
  }

  func selectAll(_ run: Run) throws -> Checksum {
    let statement = try prepare("SELECT name, age FROM person ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    var rows: [(name: String, age: Int)] = []
    while try step(statement) {
      rows.append((text(statement, 0), Int(sqlite3_column_int64(statement, 1))))
    }
    run.keep(rows)
    var checksum = Checksum()
    for row in rows { checksum.add(name: row.name, age: row.age) }
    return checksum
  }

  func increment() throws {
    try execute("BEGIN IMMEDIATE; UPDATE person SET age = age + 1; COMMIT")
  }

  func stored(_ people: [PlainPerson]) throws -> [StoredPerson] {
    let find = try prepare("SELECT z_index FROM person WHERE id = ?")
    defer { sqlite3_finalize(find) }
    return try people.map { StoredPerson(row: try zIndex(of: $0.id, find), age: $0.age) }
  }

  /// Finds the rows by their IDs, which takes less than half as long as by the texts of the index.
  func change(_ people: [StoredPerson]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("UPDATE person SET age = ? WHERE z_index = ?")
    defer { sqlite3_finalize(statement) }
    for person in people {
      person.age += 1
      sqlite3_bind_int64(statement, 1, Int64(person.age))
      sqlite3_bind_int64(statement, 2, person.row)
      try finish(statement)
    }
    try execute("COMMIT")
  }

  func replace(_ records: [PlainPerson]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(Self.updateSQL)
    defer { sqlite3_finalize(statement) }
    for person in records { try insert(person, statement) }
    try execute("COMMIT")
  }
}

/// The row of a person, and the value that changes.
final class StoredPerson: @unchecked Sendable {
  let row: Int64
  var age: Int

  init(row: Int64, age: Int) {
    self.row = row
    self.age = age
  }
}
