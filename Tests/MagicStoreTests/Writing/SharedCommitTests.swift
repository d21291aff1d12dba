import CMagicSQLite
import EngineConformance
import Foundation
import MagicGraph
import MagicSQLite
import MagicSchema
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import TestModels
import Testing

/// Concurrent writes share a commit, and do not affect each other.
@Suite struct SharedCommitTests {
  let scratch = Scratch()
  private let recorder = Recorder<String>()

  private func open() throws -> MagicObjectStore {
    try scratch.open(MagicOptions(trace: { [recorder] in recorder.note($0) }))
  }

  /// Begins the writes while no write can commit, so that they share a commit, in order.
  private func together(
    _ store: MagicObjectStore, _ writes: [@Sendable (any EngineTransaction) throws -> Void],
    isRepeatable: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> [Result<Void, any Error>] {
    let shared = store.shared
    let pool = try #require(shared.writer)
    let writer = try await pool.take()
    nonisolated(unsafe) let held = writer
    let tasks = await writes.enumerated().asyncMap { index, write in
      let task = Task {
        try await shared.writing(isRepeatable: isRepeatable(index), write)
      }
      // The first waits for the writer, the others for the first.
      while pool.waitingCount + shared.commits.waitingCount < index + 1 { await Task.yield() }
      return task
    }
    recorder.clear()
    pool.give(held)
    var results: [Result<Void, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  private func save(_ notes: [Note]) -> [@Sendable (any EngineTransaction) throws -> Void] {
    notes.map { note in { _ = try ObjectTransaction($0).save(note, ObjectSchema.of(Note.self)) } }
  }

  private func limit(_ store: MagicObjectStore, pages: Int) throws {
    try store.shared.readOnWriter {
      try $0.connection.execute("PRAGMA max_page_count = \(pages)")
    }
  }

  private func saveAll(_ notes: [Note], removing gone: Note, _ store: MagicObjectStore) throws {
    try store.shared.readOnWriter {
      _ = sqlite3_commit_hook($0.connection.handle.pointer, nil, nil)
    }
    try store.update(contentsOf: notes)
    try store.remove(gone)
  }

  private func commits() -> Int { recorder.all.filter { $0 == "COMMIT" }.count }

  private func texts() throws -> [String] {
    try scratch.raw().texts("SELECT text FROM Note ORDER BY z_index")
  }

  @Test(.timeLimit(.minutes(5))) func sixteenSavesTakeOneCommit() async throws {
    let store = try open()
    defer { store.close() }
    let notes = (0..<16).map { Note("\($0)") }
    let results = try await together(store, save(notes))
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    #expect(commits() == 1)
    // One of them created the table.
    #expect(recorder.all.filter { $0.hasPrefix("SAVEPOINT") }.count == 16)
    #expect(try texts().sorted() == (0..<16).map(String.init).sorted())
    #expect(Set(notes.map { $0.zIndex?.rawValue }) == Set((1...16).map { Int64($0) }))
  }

  @Test(.timeLimit(.minutes(5))) func aFailedSaveDoesNotAffectOthersOfTheCommit() async throws {
    let store = try open()
    defer { store.close() }
    for failing in [0, 3, 7] {
      try store.deleteAll(of: Note.self)
      let notes = (0..<8).map { Note("\($0)") }
      var writes = save(notes)
      writes[failing] = { transaction in
        _ = try ObjectTransaction(transaction).save(Note("half"), ObjectSchema.of(Note.self))
        _ = try ObjectTransaction(transaction).save(Note(), ObjectSchema.of(Note.self))
      }
      let results = try await together(store, writes)
      for (index, result) in results.enumerated() {
        let code = (result.failure as? MagicError)?.code
        #expect(code == (index == failing ? .missingValue : nil))
      }
      #expect(commits() == 1)
      #expect(try texts().sorted() == (0..<8).filter { $0 != failing }.map(String.init))
    }
  }

  @Test(.timeLimit(.minutes(5))) func aRefusedRemovalDoesNotAffectOthersOfTheCommit() async throws {
    let store = try open()
    defer { store.close() }
    let (book, shelf) = (SharedBook(), SharedShelf())
    shelf.book = book
    _ = try store.save(shelf)
    let results = try await together(
      store,
      save([Note("a")]) + [
        { try ObjectTransaction($0).remove([book], ObjectSchema.of(SharedBook.self)) }
      ]
        + save([Note("b")]))
    #expect((results[1].failure as? MagicError)?.code == .stillReferenced)
    #expect(try texts().sorted() == ["a", "b"])
    #expect(book.zIndex != nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func writesThatAnErrorOfAnotherRolledBackRunAgain() async throws {
    let store = try open()
    defer { store.close() }
    let kept = Note("kept")
    _ = try store.save(kept)
    try limit(store, pages: 60)
    kept.text = "changed"
    let notes = (0..<4).map { Note("\($0)") }
    var writes = save([kept] + notes)
    // SQLite may roll back the complete transaction when the disk is full; here it always does.
    writes.insert(
      { transaction in
        let large = (0..<100).map { Note(String(repeating: "x", count: 5_000) + "\($0)") }
        do {
          _ = try ObjectTransaction(transaction).save(large, ObjectSchema.of(Note.self))
        } catch {
          try transaction.connection.rollBack()
          throw error
        }
      }, at: 3)
    let results = try await together(store, writes)
    for (index, result) in results.enumerated() {
      #expect((result.failure as? MagicError)?.code == (index == 3 ? .diskFull : nil))
    }
    #expect(try texts().sorted() == ["0", "1", "2", "3", "changed"])
    #expect(notes.allSatisfy { $0.zIndex != nil })
  }

  @Test(.timeLimit(.minutes(5))) func aWriteThatCannotRunAgainHasItsOwnCommit() async throws {
    let store = try open()
    defer { store.close() }
    let results = try await together(
      store, save((0..<6).map { Note("\($0)") }), isRepeatable: { $0 != 2 })
    #expect(results.allSatisfy { $0.failure == nil })
    #expect(commits() == 3)
    // Batches of 2, 1 and 3; creating the table is one as well.
    #expect(recorder.all.filter { $0.hasPrefix("SAVEPOINT") }.count == 4)
    #expect(try texts().sorted() == (0..<6).map(String.init))
  }

  @Test(.timeLimit(.minutes(5))) func exclusiveWritesRunInTheOrderOfTheirCalls() async throws {
    let store = try open()
    defer { store.close() }
    let results = try await together(
      store, save((0..<200).map { Note("\($0)") }), isRepeatable: { !$0.isMultiple(of: 3) })
    #expect(results.allSatisfy { $0.failure == nil })
    let alone = try texts().compactMap { Int($0) }.filter { $0.isMultiple(of: 3) }
    #expect(alone == Array(stride(from: 0, to: 200, by: 3)))
    #expect(try texts().count == 200)
  }

  @Test(.timeLimit(.minutes(5)))
  func aFailedCommitFailsAllWritesAndRestoresEveryObject() async throws {
    let store = try open()
    defer { store.close() }
    let kept = Note("kept")
    _ = try store.save(kept)
    kept.text = "changed"
    let new = Note("new")
    let gone = Note("gone")
    _ = try store.save(gone)
    let results = try await together(
      store,
      save([kept, new]) + [
        { try ObjectTransaction($0).remove([gone], ObjectSchema.of(Note.self)) },
        { transaction in
          _ = sqlite3_commit_hook(try transaction.connection.handle.pointer, { _ in 1 }, nil)
        },
      ])
    #expect(results.allSatisfy { $0.failure is MagicError })
    #expect(try texts() == ["kept", "gone"])
    #expect(new.zIndex == nil)
    #expect(gone.zIndex != nil)
    try saveAll([kept, new], removing: gone, store)
    #expect(try texts() == ["changed", "new"])
  }

  @Test(.timeLimit(.minutes(5)))
  func objectsRemovedAndSavedAgainInAFailedCommitKeepTheirUnsavedValues() async throws {
    let store = try open()
    defer { store.close() }
    let note = Note("a")
    let other = Note("other")
    for saved in [note, other] { _ = try store.save(saved) }
    note.text = "b"
    let results = try await together(
      store,
      [{ try ObjectTransaction($0).remove([note], ObjectSchema.of(Note.self)) }] + save([note]) + [
        { transaction in
          _ = sqlite3_commit_hook(try transaction.connection.handle.pointer, { _ in 1 }, nil)
        }
      ])
    #expect(results.allSatisfy { $0.failure is MagicError })
    #expect(try texts() == ["a", "other"])
    try saveAll([note], removing: other, store)
    #expect(try texts() == ["b"])
  }

  @Test(.timeLimit(.minutes(5))) func oneObjectSavedTwiceInOneCommitIsOneRow() async throws {
    let store = try open()
    defer { store.close() }
    let note = Note("a")
    let results = try await together(store, save([note, note, note]))
    #expect(results.allSatisfy { $0.failure == nil })
    #expect(try texts() == ["a"])
  }

  @Test func anObjectRemovedAndSavedInOneCommitIsANewRow() throws {
    let store = try open()
    defer { store.close() }
    let note = Note("a")
    let first = try store.save(note)
    let pool = try #require(store.shared.writer)
    let writer = try pool.takeBlocking()
    let batch = CommitBatch(writer: writer) { try $0.begin(.immediate) }
    let schema = try ObjectSchema.of(Note.self)
    let writes: [(any EngineTransaction) throws -> Void] = [
      { try ObjectTransaction($0).remove([note], schema) },
      { _ = try ObjectTransaction($0).save(note, schema) },
    ]
    for write in writes {
      let (_, transaction) = try batch.run(write)
      batch.add(transaction) { _ in }
    }
    _ = batch.commit()
    pool.give(writer)
    #expect(try texts() == ["a"])
    #expect(try #require(note.zIndex) > first)
  }

  @Test(.timeLimit(.minutes(5))) func theRowIDOfARemovedRowIsNotAssignedAgainAfterAFailure()
    async throws
  {
    let store = try open()
    defer { store.close() }
    let last = Note("last")
    let highest = try store.save(last)
    try store.delete(last)
    let failing: @Sendable (any EngineTransaction) throws -> Void = { transaction in
      _ = try ObjectTransaction(transaction).save(Note("x"), ObjectSchema.of(Note.self))
      throw CancellationError()
    }
    let note = Note("b")
    _ = try await together(store, save([Note("a")]) + [failing] + save([note]))
    #expect(try #require(note.zIndex) > highest)
  }

  @Test(.timeLimit(.minutes(5)))
  func theRowIDOfARemovedRowIsNotAssignedAgainAfterTheFirstInsertFailed() async throws {
    let store = try open()
    defer { store.close() }
    let last = Note("last")
    let highest = try store.save(last)
    try store.delete(last)
    // The failed insert is the first of its type in the commit: its cached row ID is discarded.
    let results = try await together(
      store,
      [
        { _ = try ObjectTransaction($0).save(Ticket("first"), ObjectSchema.of(Ticket.self)) },
        { transaction in
          _ = try ObjectTransaction(transaction).save(Note("x"), ObjectSchema.of(Note.self))
          throw CancellationError()
        },
        { _ = try ObjectTransaction($0).save(Note("a"), ObjectSchema.of(Note.self)) },
      ])
    #expect(results.map { $0.failure is CancellationError } == [false, true, false])
    #expect(commits() == 1)
    #expect(try #require(store.all(of: Note.self).first?.zIndex) > highest)
  }

  @Test(.timeLimit(.minutes(5))) func aTableOfAFailedSaveIsCreatedByTheNextSave() async throws {
    let store = try open()
    defer { store.close() }
    let failing: @Sendable (any EngineTransaction) throws -> Void = { transaction in
      _ = try ObjectTransaction(transaction).save(Ticket("x"), ObjectSchema.of(Ticket.self))
      throw CancellationError()
    }
    let results = try await together(
      store,
      save([Note("a")]) + [
        failing, { _ = try ObjectTransaction($0).save(Ticket("b"), ObjectSchema.of(Ticket.self)) },
      ])
    #expect(results[1].failure is CancellationError)
    #expect(results[2].failure == nil)
    #expect(try store.all(of: Ticket.self).map(\.number) == [1])
  }

  @Test(.timeLimit(.minutes(5))) func aCancelledWriteLeavesTheQueue() async throws {
    let store = try open()
    defer { store.close() }
    let shared = store.shared
    let pool = try #require(shared.writer)
    nonisolated(unsafe) let held = try await pool.take()
    let tasks = await (0..<3).asyncMap { index in
      let task = Task {
        try await shared.writing(isRepeatable: true) {
          _ = try ObjectTransaction($0).save(Note("\(index)"), ObjectSchema.of(Note.self))
        }
      }
      while pool.waitingCount + shared.commits.waitingCount < index + 1 { await Task.yield() }
      return task
    }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    pool.give(held)
    try await tasks[2].value
    #expect(try texts() == ["2"])
  }

  /// All writes wait for their turn in the commit when the first one runs and cancels the others.
  @Test(.timeLimit(.minutes(5)))
  func aWriteThatIsCancelledBeforeItsTurnInACommitStoresNothing() async throws {
    let store = try open()
    defer { store.close() }
    _ = try store.save(Note("before"))
    let shared = store.shared
    let pool = try #require(shared.writer)
    nonisolated(unsafe) let held = try await pool.take()
    let tasks = Tasks()
    for index in 0..<3 {
      let task = Task {
        try await shared.writing(isRepeatable: true) { transaction in
          tasks.cancelAll(but: index)
          _ = try ObjectTransaction(transaction).save(Note("\(index)"), ObjectSchema.of(Note.self))
        }
      }
      tasks.append(task)
      while pool.waitingCount + shared.commits.waitingCount < index + 1 { await Task.yield() }
    }
    recorder.clear()
    pool.give(held)
    var stored = ["before"]
    for (index, task) in tasks.all.enumerated() {
      switch await task.result {
      case .success: stored.append("\(index)")
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    #expect(stored.count == 2)
    #expect(try texts() == stored)
    #expect(commits() == 1)
  }
}

/// Tasks that cancel each other.
private final class Tasks: @unchecked Sendable {
  private let lock = NSLock()
  private var tasks: [Task<Void, any Error>] = []

  var all: [Task<Void, any Error>] { lock.withLock { tasks } }

  func append(_ task: Task<Void, any Error>) { lock.withLock { tasks.append(task) } }

  func cancelAll(but index: Int) {
    for (other, task) in all.enumerated() where other != index { task.cancel() }
  }
}

struct SharedBook: MagicObject {
  @MagicValue var title: String = ""
}

struct SharedShelf: MagicObject {
  @MagicValue var book: SharedBook
}

/// The store's verbs for asynchronous tests.
extension MagicObjectStore {
  fileprivate func save<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    try update(object)
  }

  fileprivate func delete<Model: MagicObject>(_ object: Model) throws { try remove(object) }

  fileprivate func deleteAll<Model: MagicObject>(of type: Model.Type) throws {
    try removeAll(of: type)
  }

  fileprivate func all<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    try object(of: type)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

extension Sequence {
  fileprivate func asyncMap<Mapped>(
    _ transform: (Element) async throws -> Mapped
  ) async rethrows -> [Mapped] {
    var mapped: [Mapped] = []
    for element in self { mapped.append(try await transform(element)) }
    return mapped
  }
}

extension EngineTransaction {
  /// The connection that it writes on.
  fileprivate var connection: SQLiteConnection {
    get throws { try #require(reader as? StoreConnection).connection }
  }
}
