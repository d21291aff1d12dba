import CSQLite
import Dispatch
import Foundation
import Workloads

/// Several readers beside a writer: each a thread with a connection of its own.
extension CTwin {
  func lookUp(_ ids: [String], tasks: Int, beside: [PlainPerson]) async throws -> Checksum {
    let readers = try (0..<tasks).map { _ in try CTwin.reader(beside: self) }
    defer { for reader in readers { sqlite3_close_v2(reader.database) } }
    let isDone = Flag()
    let (writing, reading) = (DispatchGroup(), DispatchGroup())
    let sums = Sums()
    DispatchQueue.global().async(group: writing) {
      try? self.saveOneByOne(beside, until: isDone)
    }
    for (task, reader) in readers.enumerated() {
      DispatchQueue.global().async(group: reading) {
        let own = stride(from: task, to: ids.count, by: tasks).map { ids[$0] }
        if let checksum = try? reader.lookUp(own, Run()) { sums.add(checksum) }
      }
    }
    await withCheckedContinuation { continuation in
      reading.notify(queue: .global()) { continuation.resume() }
    }
    isDone.set()
    await withCheckedContinuation { continuation in
      writing.notify(queue: .global()) { continuation.resume() }
    }
    return sums.total
  }

  private static func reader(beside twin: CTwin) throws -> CTwin {
    var database: OpaquePointer?
    let path = String(cString: sqlite3_db_filename(twin.database, "main"))
    let code = sqlite3_open_v2(
      path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let database else { throw Failure(code: code, message: "open") }
    let reader = CTwin(database: database)
    try reader.execute("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY")
    return reader
  }

  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false

    func set() { lock.withLock { isSet = true } }
    var value: Bool { lock.withLock { isSet } }
  }

  private final class Sums: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = Checksum()

    func add(_ checksum: Checksum) { lock.withLock { sum.add(checksum) } }
    var total: Checksum { lock.withLock { sum } }
  }

  private func saveOneByOne(_ people: [PlainPerson], until isDone: Flag) throws {
    let begin = try prepare("BEGIN IMMEDIATE")
    let statement = try prepare(
      "INSERT OR REPLACE INTO person (id, name, age, height, nickname, photo) "
        + "VALUES (?, ?, ?, ?, ?, ?)")
    let commit = try prepare("COMMIT")
    defer { for each in [begin, statement, commit] { sqlite3_finalize(each) } }
    for person in people where !isDone.value {
      try finish(begin)
      try insert(person, statement)
      try finish(commit)
    }
  }
}
