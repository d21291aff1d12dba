import CMagicSQLite
import Dispatch
import Foundation
import Workloads

/// Several readers concurrent with a writer, each a thread with its own connection.
extension CTwin {
  func lookUp(
    _ ids: [String], _ readers: [CTwin], beside people: [PlainPerson]
  ) async throws -> Checksum {
    let isDone = Flag()
    let (writing, reading) = (DispatchGroup(), DispatchGroup())
    let outcome = Outcome()
    DispatchQueue.global().async(group: writing) {
      outcome.add {
        try save(people, until: isDone)
        return Checksum()
      }
    }
    for (task, reader) in readers.enumerated() {
      DispatchQueue.global().async(group: reading) {
        let own = stride(from: task, to: ids.count, by: readers.count).map { ids[$0] }
        outcome.add { try reader.lookUp(own, Run()) }
      }
    }
    await withCheckedContinuation { continuation in
      reading.notify(queue: .global()) { continuation.resume() }
    }
    isDone.set()
    await withCheckedContinuation { continuation in
      writing.notify(queue: .global()) { continuation.resume() }
    }
    return try outcome.sum
  }

  /// Saves the people one after the other, repeatedly: an existing row is updated.
  private func save(_ people: [PlainPerson], until isDone: Flag) throws {
    let begin = try prepare("BEGIN IMMEDIATE")
    let update = try prepare(Self.updateSQL)
    let insert = try prepare(Self.insertSQL)
    let commit = try prepare("COMMIT")
    defer { for each in [begin, update, insert, commit] { sqlite3_finalize(each) } }
    while !isDone.value {
      for person in people where !isDone.value {
        try finish(begin)
        try self.insert(person, update)
        if sqlite3_changes(database) == 0 { try self.insert(person, insert) }
        try finish(commit)
      }
    }
  }

  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false

    func set() { lock.withLock { isSet = true } }
    var value: Bool { lock.withLock { isSet } }
  }

  /// The sums of several threads, or the error of one of them.
  final class Outcome: @unchecked Sendable {
    private let lock = NSLock()
    private var result = Result<Checksum, any Error>.success(Checksum())

    func add(_ body: () throws -> Checksum) {
      let part = Result(catching: body)
      lock.withLock {
        result = result.flatMap { sum in
          part.map { part in
            var sum = sum
            sum.add(part)
            return sum
          }
        }
      }
    }

    var sum: Checksum { get throws { try lock.withLock { try result.get() } } }
  }
}
