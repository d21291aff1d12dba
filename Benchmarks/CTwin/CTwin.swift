import CMagicSQLite
import Foundation
public import Workloads

/// The same work by hand: statements that are prepared once and bound by position; every column is
/// copied into a plain struct. Same table, same pragmas, no object semantics.
public struct CTwin: Engine, @unchecked Sendable {
  /// The name in tables.
  public static let name = "C"
  /// The version of SQLite.
  public static var version: String { String(cString: sqlite3_libversion()) }
  let database: OpaquePointer
  /// Connections of concurrent readers.
  let readers = Readers()

  struct Failure: Error {
    let code: Int32
    let message: String
  }

  /// Opens with the library's pragmas.
  public static func open(directory: String, durability: Durability) async throws -> CTwin {
    let path = directory + "/twin.sqlite3"
    let isNew = access(path, F_OK) != 0
    let twin = try open(path: path, durability: durability, isNew: isNew)
    if isNew { try twin.createTables() }
    return twin
  }

  func createTables() throws {
    try execute(
      """
      CREATE TABLE person (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
        age INTEGER NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);
      CREATE UNIQUE INDEX person_id ON person (id)
      """)
    try execute(Self.residentTable)
    try execute(Self.entryTable)
    try execute(Self.teamTables)
    try execute(Self.packageTables)
    try execute(Self.photoTable)
    try execute(Self.purchaseTable)
    try execute(Self.typeTables)
    try execute(Self.shelfTables)
    try execute(Self.folderTables)
    try execute(Self.articleTables)
    try execute(Self.passageTable)
  }

  static func open(path: String, durability: Durability, isNew: Bool) throws -> CTwin {
    var database: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let database else { throw Failure(code: code, message: "open") }
    // Like the library: a reader may be opened while the writer holds a lock.
    sqlite3_busy_timeout(database, 5_000)
    let twin = CTwin(database: database)
    // The file keeps both. Setting them again writes to it.
    if isNew { try twin.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL") }
    try twin.execute(
      """
      PRAGMA synchronous = \(durability.rawValue);
      PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA secure_delete = FAST;
      PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0
      """)
    return twin
  }

  func insert(_ records: [PlainPerson]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(Self.insertSQL)
    defer { sqlite3_finalize(statement) }
    for person in records { try insert(person, statement) }
    try execute("COMMIT")
  }

  func saveOneByOne(
    _ records: [PlainPerson], _ run: Run, afterCommit: () -> Void = {}
  ) throws {
    let begin = try prepare("BEGIN IMMEDIATE")
    let statement = try prepare(Self.insertSQL)
    let commit = try prepare("COMMIT")
    defer { for each in [begin, statement, commit] { sqlite3_finalize(each) } }
    for person in records {
      let start = run.begin()
      try finish(begin)
      try insert(person, statement)
      try finish(commit)
      afterCommit()
      run.end(start)
    }
  }

  /// The number of rows is counted first, so that the array does not grow.
  func people() throws -> [FetchedPerson] {
    let count = try prepare("SELECT count(*) FROM person")
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person ORDER BY z_index")
    defer { for each in [count, statement] { sqlite3_finalize(each) } }
    var people: [FetchedPerson] = []
    if try step(count) { people.reserveCapacity(Int(sqlite3_column_int64(count, 0))) }
    while try step(statement) { people.append(person(statement)) }
    return people
  }

  func fetchAll(readingValues: Bool, _ run: Run) throws -> Checksum {
    let people = try people()
    defer { run.keep(people) }
    var checksum = Checksum()
    guard readingValues else {
      checksum.add(people.count)
      return checksum
    }
    checksum.add(people)
    return checksum
  }

  func lookUp(_ ids: [String], _ run: Run) throws -> Checksum {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    for id in ids {
      let start = run.begin()
      var key = id
      try key.withUTF8 { bytes in
        sqlite3_bind_text(
          statement, 1, UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self),
          Int32(bytes.count), nil)
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { throw failure(code) }
        checksum.add(person(statement).age)
        sqlite3_reset(statement)
      }
      run.end(start)
    }
    return checksum
  }

  /// Closes the connection and those of readers.
  public func close() async {
    readers.close()
    sqlite3_close_v2(database)
  }

  static let insertSQL =
    "INSERT INTO person (id, name, age, height, nickname, photo) VALUES (?, ?, ?, ?, ?, ?)"

  /// Has the same values at the same positions as an insert.
  static let updateSQL =
    "UPDATE person SET name = ?2, age = ?3, height = ?4, nickname = ?5, photo = ?6 WHERE id = ?1"

  /// Binds without copying: the texts and bytes remain valid until the step is done.
  @inline(__always)
  func insert(_ person: PlainPerson, _ statement: OpaquePointer) throws {
    var id = person.id
    var name = person.name
    var nickname = person.nickname ?? ""
    try id.withUTF8 { id in
      try name.withUTF8 { name in
        try nickname.withUTF8 { nickname in
          try person.photo.withUnsafeBytes { photo in
            bind(id, statement, 1)
            bind(name, statement, 2)
            sqlite3_bind_int64(statement, 3, Int64(person.age))
            sqlite3_bind_double(statement, 4, person.height)
            if person.nickname == nil {
              sqlite3_bind_null(statement, 5)
            } else {
              bind(nickname, statement, 5)
            }
            sqlite3_bind_blob(statement, 6, photo.baseAddress, Int32(photo.count), nil)
            try finish(statement)
          }
        }
      }
    }
  }

  @inline(__always)
  func person(_ statement: OpaquePointer) -> FetchedPerson {
    FetchedPerson(
      id: text(statement, 1),
      name: text(statement, 2),
      age: Int(sqlite3_column_int64(statement, 3)),
      height: sqlite3_column_double(statement, 4),
      nickname: sqlite3_column_type(statement, 5) == SQLITE_NULL ? nil : text(statement, 5),
      photo: blob(statement, 6))
  }
}

/// A person as the fastest loop reads it: an array of bytes is created faster than `Data`.
struct FetchedPerson {
  var id: String
  var name: String
  var age: Int
  var height: Double
  var nickname: String?
  var photo: [UInt8]
}

extension Checksum {
  @inline(__always)
  mutating func add(_ person: FetchedPerson) {
    add(
      id: person.id, name: person.name, age: person.age, height: person.height,
      nickname: person.nickname, photo: person.photo)
  }

  @inline(__always)
  mutating func add(_ people: [FetchedPerson]) {
    for person in people { add(person) }
  }
}
