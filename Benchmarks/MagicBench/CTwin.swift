import CSQLite
import Foundation

/// The same work by hand: statements prepared once, bound by position, every column copied into a
/// plain struct. Same table, same pragmas, no object semantics.
struct CTwin: Engine, @unchecked Sendable {
  static let name = "C"
  let database: OpaquePointer

  struct Failure: Error {
    let code: Int32
    let message: String
  }

  static func open(directory: String, durability: Durability) async throws -> CTwin {
    let twin = try await reopen(directory: directory, durability: durability)
    try twin.execute(
      """
      CREATE TABLE person (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
        age INTEGER NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);
      CREATE UNIQUE INDEX person_id ON person (id)
      """)
    try twin.execute(residentTable)
    try twin.execute(teamTables)
    try twin.execute(packageTables)
    try twin.execute(photoTable)
    return twin
  }

  static func reopen(directory: String, durability: Durability) async throws -> CTwin {
    var database: OpaquePointer?
    let code = sqlite3_open_v2(
      directory + "/twin.sqlite3", &database,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let database else { throw Failure(code: code, message: "open") }
    let twin = CTwin(database: database)
    try twin.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.rawValue);
      PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA secure_delete = FAST;
      PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0
      """)
    return twin
  }

  static func records(of people: [PlainPerson]) -> [PlainPerson] { people }

  func insert(_ records: [PlainPerson]) async throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(Self.insertSQL)
    defer { sqlite3_finalize(statement) }
    for person in records { try insert(person, statement) }
    try execute("COMMIT")
  }

  func saveOneByOne(_ records: [PlainPerson]) async throws {
    let begin = try prepare("BEGIN IMMEDIATE")
    let statement = try prepare(Self.insertSQL)
    let commit = try prepare("COMMIT")
    defer { for each in [begin, statement, commit] { sqlite3_finalize(each) } }
    for person in records {
      try finish(begin)
      try insert(person, statement)
      try finish(commit)
    }
  }

  /// One commit each: a connection is used by one thread at a time.
  func saveAtOnce(_ records: [PlainPerson], tasks: Int) async throws {
    try await saveOneByOne(records)
  }

  func fetchAll(readingValues: Bool) async throws -> Checksum {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    var people: [PlainPerson] = []
    while try step(statement) { people.append(person(statement)) }
    var checksum = Checksum()
    guard readingValues else {
      checksum.add(people.count)
      return checksum
    }
    for person in people {
      checksum.add(
        id: person.id, name: person.name, age: person.age, height: person.height,
        nickname: person.nickname, photo: person.photo)
    }
    return checksum
  }

  func lookUp(_ ids: [String]) async throws -> Checksum { try lookUpAll(ids) }

  func lookUpAll(_ ids: [String]) throws -> Checksum {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    for id in ids {
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
    }
    return checksum
  }

  func close() async { sqlite3_close_v2(database) }

  private static let insertSQL =
    "INSERT INTO person (id, name, age, height, nickname, photo) VALUES (?, ?, ?, ?, ?, ?)"

  /// Binds without copying: the texts and bytes stay in place until the step is done.
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
  func person(_ statement: OpaquePointer) -> PlainPerson {
    PlainPerson(
      id: text(statement, 1),
      name: text(statement, 2),
      age: Int(sqlite3_column_int64(statement, 3)),
      height: sqlite3_column_double(statement, 4),
      nickname: sqlite3_column_type(statement, 5) == SQLITE_NULL ? nil : text(statement, 5),
      photo: blob(statement, 6))
  }
}
