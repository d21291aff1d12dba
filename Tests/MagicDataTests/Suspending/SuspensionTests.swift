import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import SQLiteFiles
import TestModels
import Testing

@testable import MagicStore
@testable import SQLiteStore

/// Calls, objects, streams and assets while a database is suspended, and after it is resumed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SuspensionTests {
  private let scratch = Scratch()

  private struct Photo: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var image: MagicAsset<Data> = .init()

    init() {}
    init(_ name: String, _ image: MagicAsset<Data>) {
      self.name = name
      self.image = image
    }
  }

  private func code(_ call: () async throws -> Void) async -> String {
    do {
      try await call()
      return "none"
    } catch let error as MagicError {
      return error.code.description
    } catch {
      return "\(error)"
    }
  }

  @Test func noLockIsHeldAndEveryCallThrows() async throws {
    let magic = try await MagicData(path: scratch.file())
    let other = try await MagicData(path: scratch.file())
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    _ = try await other.object(of: Person.self, primary: "ada")
    #expect(try !FileLocks.under(scratch.path).isEmpty)
    await magic.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    for database in [magic, other] {
      ada.age += 1
      #expect(await code { try await database.update(ada) } == "suspended")
      #expect(await code { _ = try await database.query(Person.self).count() } == "suspended")
      #expect(await code { _ = try await database.read { _ in } } == "suspended")
      #expect(await code { try await database.transaction { _ in } } == "suspended")
      #expect(await code { _ = try await database.verify() } == "suspended")
    }
    #expect(await code { _ = try await MagicData(path: scratch.file()) } == "suspended")
    other.resume()
    try await magic.update(ada)
    #expect(try await other.object(of: Person.self, primary: "ada").age == ada.age)
  }

  @Test func resumingRefusesTheFilesThatOpeningRefuses() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Person(id: "ada", name: "Ada"))
    await magic.suspend()
    let second = scratch.file("second.sqlite3")
    try FileManager.default.linkItem(atPath: scratch.file(), toPath: second)
    magic.resume()
    #expect(await code { _ = try await magic.query(Person.self).count() } == "none")
    let bob = Person(id: "bob", name: "Bob")
    #expect(await code { try await magic.update(bob) } == "cannotOpen")
    try FileManager.default.removeItem(atPath: second)
    try await magic.update(bob)
    #expect(try await magic.query(Person.self).count() == 2)
  }

  // On the main thread: the reads occupy all threads of the cooperative pool.
  @MainActor @Test func longReadsAreInterrupted() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    let endless: MagicSQL = """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
      """
    let reads = (0..<4).map { _ in
      Task.detached { await code { _ = try await magic.sql(endless).value(Int.self) } }
    }
    let snapshot = Task.detached {
      await code { _ = try await magic.read { try $0.sql(endless).value(Int.self) } }
    }
    usleep(300_000)
    let start = ContinuousClock.now
    await magic.suspend()
    #expect(start.duration(to: .now) < .seconds(20))
    #expect(try FileLocks.under(scratch.path) == [])
    for read in reads { #expect(await read.value == "suspended") }
    #expect(await snapshot.value == "suspended")
    magic.resume()
    #expect(try await magic.object(of: Note.self).count == 1)
  }

  @Test func anInterruptedWriteStoresNothingAndCanBeRepeated() async throws {
    let magic = try await MagicData(path: scratch.file())
    let note = Note("one")
    try await magic.update(note)
    note.text = "two"
    let endless: MagicSQL = """
      INSERT INTO Note (text) WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT x FROM n
      """
    let write = Task {
      await code {
        try await magic.transaction { transaction in
          try transaction.update(note)
          try transaction.update(Note("three"))
          try transaction.sql(endless).run()
        }
      }
    }
    try await Task.sleep(nanoseconds: 200_000_000)
    // They wait for the long write.
    let waiting = (0..<5).map { number in
      Task { await code { try await magic.update(Note("waiting \(number)")) } }
    }
    try await Task.sleep(nanoseconds: 100_000_000)
    await magic.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    #expect(await write.value == "suspended")
    for write in waiting { #expect(await write.value == "suspended") }
    magic.resume()
    #expect(try await magic.object(of: Note.self).map(\.text) == ["one"])
    try await magic.update(note)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["two"])
  }

  @Test func aStreamContinuesWithItsNextPage() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<1_500).map { Note("\($0)") })
    var stream = magic.query(Note.self).order(by: \.$text).stream().makeAsyncIterator()
    var texts: Set<String> = []
    for _ in 0..<10 { texts.insert(try #require(try await stream.next()).text) }
    await magic.suspend()
    var failures = 0
    while failures < 2 {
      do {
        texts.insert(try #require(try await stream.next()).text)
      } catch let error as MagicError {
        #expect(error.code == .suspended)
        failures += 1
      }
    }
    #expect(texts.count < 1_500)
    magic.resume()
    while let note = try await stream.next() { #expect(texts.insert(note.text).inserted) }
    #expect(texts.count == 1_500)
  }

  @Test func observersReceiveExternalChangesAndThenEveryCommit() async throws {
    let magic = try await MagicData(path: scratch.file())
    let note = Note("one")
    try await magic.update(note)
    var changes = magic.changes(of: Note.self).makeAsyncIterator()
    var values = magic.query(Note.self).values().makeAsyncIterator()
    #expect(try await values.next()?.map(\.text) == ["one"])
    try await magic.update(Note("two"))
    #expect(await changes.next()?.inserted.count == 1)
    #expect(try await values.next()?.map(\.text) == ["one", "two"])
    await magic.suspend()
    let other = try scratch.raw()
    try other.execute("UPDATE Note SET text = 'other' WHERE text = 'two'")
    other.close()
    magic.resume()
    #expect(await changes.next()?.origin == .external)
    #expect(try await values.next()?.map(\.text) == ["one", "other"])
    note.text = "three"
    try await magic.update(note)
    let element = await changes.next()
    #expect(element?.origin == .process)
    #expect(element?.updated.count == 1)
    #expect(try await values.next()?.map(\.text) == ["three", "other"])
  }

  /// Notes how many objects there are, by the objects and by a body that counts them.
  private func watch(
    _ magic: MagicData, _ counts: Recorder<String>, _ numbers: Recorder<String>
  ) -> (watching: Task<Void, any Error>, counting: Task<Void, any Error>) {
    let watching = Task {
      for try await notes in magic.query(Note.self).values() { counts.note("\(notes.count)") }
    }
    let counting = Task {
      for try await count in magic.values({ try $0.query(Note.self).count() }) {
        numbers.note("\(count)")
      }
    }
    return (watching, counting)
  }

  @Test func resultsRequestedWhileItIsSuspendedArriveAfterItIsResumed() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    let (counts, numbers) = (Recorder<String>(), Recorder<String>())
    let (watching, counting) = watch(magic, counts, numbers)
    #expect(await eventually { counts.all == ["1"] && numbers.all == ["1"] })
    for round in 2..<12 {
      // The read that this starts may be interrupted by the suspension.
      try await magic.update(Note("\(round)"))
      await magic.suspend()
      magic.resume()
      #expect(await eventually { counts.all.last == "\(round)" })
      #expect(await eventually { numbers.all.last == "\(round)" })
    }
    await magic.close()
    try await watching.value
    try await counting.value
  }

  @Test func resultsStartedWhileItIsSuspendedArriveAfterItIsResumed() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    await magic.suspend()
    let (counts, numbers) = (Recorder<String>(), Recorder<String>())
    let (watching, counting) = watch(magic, counts, numbers)
    // Both wait for the database to be resumed.
    #expect(await eventually { magic.store.observerCount == 2 })
    #expect(counts.all.isEmpty && numbers.all.isEmpty)
    magic.resume()
    #expect(await eventually { counts.all == ["1"] && numbers.all == ["1"] })
    try await magic.update(Note("two"))
    #expect(await eventually { counts.all.last == "2" && numbers.all.last == "2" })
    await magic.close()
    try await watching.value
    try await counting.value
  }

  @Test func changesRequestedWhileItIsSuspendedAreReported() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    await magic.suspend()
    var changes = magic.changes(of: Note.self).makeAsyncIterator()
    magic.resume()
    // Observers are notified that another process may have written meanwhile.
    #expect(await changes.next()?.origin == .external)
    try await magic.update(Note("two"))
    #expect(await changes.next()?.inserted.count == 1)
    await magic.close()
  }

  @Test func resultsOfAFileThatWasReplacedDuringSuspensionEndWithAnError() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    var values = magic.query(Note.self).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    await magic.suspend()
    try FileManager.default.moveItem(
      atPath: scratch.file(), toPath: scratch.file("moved.sqlite3"))
    magic.resume()
    #expect(await code { _ = try await values.next() } == "fileMoved")
  }

  @Test func aReadOnlyDatabaseReceivesExternalChanges() async throws {
    let writing = try await MagicData(path: scratch.file())
    try await writing.update(Note("one"))
    await writing.close()
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(readOnly: true))
    var changes = magic.changes(of: Note.self).makeAsyncIterator()
    _ = try await magic.object(of: Note.self)
    await magic.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    let other = try scratch.raw()
    try other.execute("UPDATE Note SET text = 'other'")
    other.close()
    magic.resume()
    #expect(await changes.next()?.origin == .external)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["other"])
  }

  @Test func assetsThatAreNotSavedYetAreKept() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Photo("first", .init(value: Data("first".utf8))))
    let file = scratch.file("source.bin")
    try Data("streamed".utf8).write(to: URL(fileURLWithPath: file))
    let streamed: MagicAsset<Data> = try await magic.asset(
      contentsOf: URL(fileURLWithPath: file))
    #expect(try FileLocks.under(scratch.path).contains { $0.hasPrefix("FLOCK") })
    await magic.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    let refused = await code {
      let _: MagicAsset<Data> = try await magic.asset(contentsOf: URL(fileURLWithPath: file))
    }
    #expect(refused == "suspended")
    magic.resume()
    #expect(try FileLocks.under(scratch.path).contains { $0.hasPrefix("FLOCK") })
    try await magic.update(Photo("second", streamed))
    try await magic.update(Photo("third", .init(value: Data("third".utf8))))
    let photos = try await magic.object(of: Photo.self)
    let contents = try photos.map {
      try $0.image.load().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(contents == ["first", "streamed", "third"])
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
  }

  @Test func anAssetWhoseFileAnotherProcessHasRemovedIsNotSaved() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Photo("first", .init(value: Data("first".utf8))))
    let file = scratch.file("source.bin")
    try Data("streamed".utf8).write(to: URL(fileURLWithPath: file))
    let streamed: MagicAsset<Data> = try await magic.asset(
      contentsOf: URL(fileURLWithPath: file))
    await magic.suspend()
    // Opening the database in another process does the same.
    let other = try scratch.raw()
    StoreFiles(at: scratch.file() + StoreFiles.suffix, MagicOptions())
      .sweep(on: other, hasLostCommits: false)
    other.close()
    magic.resume()
    #expect(await code { try await magic.update(Photo("second", streamed)) } != "none")
    #expect(try await magic.object(of: Photo.self).map(\.name) == ["first"])
    try await magic.update(Photo("third", .init(value: Data("third".utf8))))
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func anInterruptedBackupLeavesNoFile() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<20_000).map { Note("\($0) of many") })
    let copy = Task {
      await code {
        try await magic.backup(to: scratch.file("copy.sqlite3")) { _ in
          Thread.sleep(forTimeInterval: 0.05)
        }
      }
    }
    #expect(await eventually { scratch.names.contains { $0.hasPrefix("copy") } })
    await magic.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    #expect(await copy.value == "suspended")
    #expect(!scratch.names.contains { $0.hasPrefix("copy") })
  }

  @Test func resumingDuringASuspensionResumesTheDatabase() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("one"))
    let (isReading, mayContinue) = (Flag(), Flag())
    let read = Task.detached {
      await code {
        _ = try await magic.object(of: Note.self).where { _ in
          isReading.set()
          mayContinue.wait()
          return true
        }
      }
    }
    #expect(await eventually { isReading.isSet })
    let suspending = Task.detached { await magic.suspend() }
    #expect(await eventually { magic.store.shared.lifecycle.isSuspended })
    magic.resume()
    mayContinue.set()
    await suspending.value
    _ = await read.value
    #expect(await code { try await magic.update(Note("two")) } == "none")
  }

  @Test func savesThatReturnedAreStoredAndSavesThatThrewAreNot() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("first"))
    let isDone = Flag()
    let unexpected = Recorder<String>()
    let stored = Recorder<String>()
    let rounds = Effort("SUSPENSION", rounds: 50).rounds
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<32 {
        group.addTask {
          var number = 0
          while !isDone.isSet {
            number += 1
            let text = "\(task)-\(number)"
            let code = await code {
              // One save, a save in a transaction, and two saves in one transaction.
              if number % 3 == 0 {
                try await magic.transaction { transaction in
                  try transaction.update(Note(text))
                  try transaction.update(Note(text + "+"))
                }
              } else {
                try await magic.update(Note(text))
              }
            }
            switch code {
            case "none":
              stored.note(text)
              if number % 3 == 0 { stored.note(text + "+") }
            case "suspended": try await Task.sleep(nanoseconds: 1_000_000)
            default: unexpected.note(code)
            }
            let read = await self.code { _ = try await magic.query(Note.self).count() }
            if read != "none", read != "suspended" { unexpected.note("reading: \(read)") }
          }
        }
      }
      for round in 0..<rounds {
        try await Task.sleep(nanoseconds: UInt64(round % 5) * 3_000_000)
        await magic.suspend()
        #expect(try FileLocks.under(scratch.path) == [])
        magic.resume()
      }
      isDone.set()
      try await group.waitForAll()
    }
    #expect(unexpected.all == [])
    #expect(stored.count > 32)
    let texts = try await magic.object(of: Note.self).map(\.text)
    #expect(texts.count == Set(texts).count)
    #expect(Set(texts) == Set(stored.all + ["first"]))
    #expect(try await magic.verify().findings.isEmpty)
  }
}
