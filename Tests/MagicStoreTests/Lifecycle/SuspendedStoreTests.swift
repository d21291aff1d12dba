import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicTestSupport
import SQLiteEngine
import TestModels
import Testing

@testable import MagicStore
@testable import SQLiteStore

/// A suspended store holds no lock and refuses every call, until it is resumed.
@Suite(.timeLimit(.minutes(5))) struct SuspendedStoreTests {
  private let scratch = Scratch()

  @Test func anOpenStoreHoldsLocksAndASuspendedOneNone() throws {
    let store = try scratch.open()
    try store.update(Note("one"))
    #expect(try store.object(of: Note.self).count == 1)
    #expect(try FileLocks.under(scratch.path).contains("POSIX READ test.sqlite3"))
    try store.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    store.resume()
    #expect(try store.object(of: Note.self).map(\.text) == ["one"])
    try store.update(Note("two"))
    #expect(try store.object(of: Note.self).map(\.text) == ["one", "two"])
  }

  @Test func everyCallThrowsUntilItIsResumed() throws {
    let store = try scratch.open()
    let ticket = Ticket("one")
    try store.update(ticket)
    try store.suspend()
    let calls: [() throws -> Void] = [
      { try store.update(Ticket("two")) },
      { try store.update(contentsOf: [ticket, Ticket("two")]) },
      { try store.remove(ticket) },
      { try store.removeAll(of: Ticket.self) },
      { _ = try store.object(of: Ticket.self) },
      { _ = try store.object(of: Ticket.self, primary: 1) },
      { _ = try store.has(of: Ticket.self, primary: 1) },
      { try store.read { _ in } },
      { try store.transaction { _ in } },
      { _ = try store.verify() },
      { try store.backup(to: scratch.file("copy.sqlite3")) },
      { _ = try store.migrationPlan(for: Ticket.self) },
      { try store.migrate(Ticket.self) },
      { _ = try scratch.open() },
      { _ = try scratch.open(MagicOptions(readOnly: true)) },
    ]
    for (index, call) in calls.enumerated() { #expect(code(call) == .suspended, "call \(index)") }
    #expect(try FileLocks.under(scratch.path) == [])
    store.resume()
    for call in calls.prefix(4) { #expect(code(call) == nil) }
  }

  @Test func aSecondSuspendAndASecondResumeHaveNoEffect() throws {
    let store = try scratch.open()
    store.resume()
    try store.update(Note("one"))
    try store.suspend()
    try store.suspend()
    #expect(code { try store.update(Note("x")) } == .suspended)
    store.resume()
    store.resume()
    try store.update(Note("two"))
    #expect(try store.object(of: Note.self).count == 2)
  }

  @Test func allStoresOnTheFileAreSuspendedTogether() throws {
    let first = try scratch.open()
    let second = try scratch.open()
    let reading = try scratch.open(MagicOptions(readOnly: true))
    try first.update(Note("one"))
    #expect(try reading.object(of: Note.self).count == 1)
    try reading.suspend()
    #expect(try FileLocks.under(scratch.path) == [])
    for store in [first, second, reading] {
      #expect(code { _ = try store.object(of: Note.self) } == .suspended)
    }
    first.resume()
    try second.update(Note("two"))
    #expect(try reading.object(of: Note.self).count == 2)
  }

  @Test func otherFilesAreNotSuspended() throws {
    let store = try scratch.open()
    let other = try MagicObjectStore.open(.file(scratch.file("other.sqlite3")))
    try store.suspend()
    try other.update(Note("x"))
    #expect(try other.object(of: Note.self).count == 1)
    #expect(code { try store.update(Note("x")) } == .suspended)
  }

  @Test func aSuspendedStoreCanBeClosedAndItsFileOpenedAgain() throws {
    let store = try scratch.open()
    try store.update(Note("one"))
    try store.suspend()
    store.close()
    #expect(code { try store.update(Note("x")) } == .closed)
    store.resume()
    let count = try scratch.using { try $0.object(of: Note.self).count }
    #expect(count == 1)
  }

  @Test func aReleasedSuspendedStoreHoldsNoLock() throws {
    do {
      let store = try scratch.open()
      try store.update(Note("one"))
      try store.suspend()
    }
    let count = try scratch.using { try $0.object(of: Note.self).count }
    #expect(count == 1)
  }

  @Test func aTemporaryDatabaseIsKeptUntilItIsClosed() throws {
    let before = try temporaries()
    let store = try MagicObjectStore.open(.temporary)
    let directory = try #require(try temporaries().subtracting(before).first)
    let note = Note("one")
    try store.update(note)
    try store.suspend()
    #expect(try FileLocks.under(directory) == [])
    store.resume()
    note.text = "two"
    try store.update(note)
    #expect(try store.object(of: Note.self).map(\.text) == ["two"])
    try store.suspend()
    store.close()
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  private func temporaries() throws -> Set<String> {
    let directory = FileManager.default.temporaryDirectory.path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: directory)
        .filter { $0.hasPrefix("MagicData-") }.map { "\(directory)/\($0)" })
  }

  @Test func aDatabaseInMemoryIsNotSuspended() throws {
    let store = try MagicObjectStore.open(.memory)
    try store.suspend()
    try store.update(Note("one"))
    #expect(try store.object(of: Note.self).count == 1)
  }

  @Test func aFileThatWasReplacedDuringSuspensionIsRefused() throws {
    let store = try scratch.open()
    try store.update(Note("one"))
    try store.suspend()
    try FileManager.default.moveItem(
      atPath: scratch.file(), toPath: scratch.file("moved.sqlite3"))
    let other = try scratch.open()
    try other.update(Note("other"))
    store.resume()
    #expect(code { try store.update(Note("x")) } == .fileMoved)
    #expect(code { _ = try store.object(of: Note.self) } == .fileMoved)
    #expect(try other.object(of: Note.self).map(\.text) == ["other"])
  }

  @Test func changesOfAnotherProcessAreReadAfterResuming() throws {
    let store = try scratch.open()
    let note = Note("one")
    try store.update(note)
    try store.suspend()
    let other = try scratch.raw()
    try other.execute("UPDATE Note SET text = 'other'")
    other.close()
    store.resume()
    #expect(try store.object(of: Note.self).map(\.text) == ["other"])
    note.stars = 3
    try store.update(note)
    let row = try #require(try store.object(of: Note.self).first)
    #expect(row.text == "other" && row.stars == 3)
  }

  @Test func aNewerFormatWrittenDuringSuspensionIsRefused() throws {
    let store = try scratch.open()
    try store.update(Note("one"))
    try store.suspend()
    let other = try scratch.raw()
    try other.execute("UPDATE magic_format SET version = version + 1")
    let before = scratch.contents["test.sqlite3"]
    store.resume()
    #expect(code { try store.update(Note("x")) } == .newerFormat)
    #expect(scratch.contents["test.sqlite3"] == before)
    #expect(try other.integer("SELECT count(*) FROM Note") == 1)
  }

  @Test func suspendingInsideACallIsAnError() throws {
    let store = try scratch.open()
    try store.update(Note("one"))
    #expect(code { try store.read { _ in try store.suspend() } } == .nestedCall)
    #expect(try store.object(of: Note.self).count == 1)
  }

  @Test func aStrongerDurabilityIsKeptAfterResuming() throws {
    let normal = try scratch.open(MagicOptions(durability: .normal))
    let full = try scratch.open(MagicOptions(durability: .full))
    try normal.update(Note("one"))
    try normal.suspend()
    normal.resume()
    try full.update(Note("two"))
    let synchronous = try normal.shared.readOnWriter {
      try $0.connection.integer("PRAGMA synchronous")
    }
    #expect(synchronous == 2)
  }

  @Test func suspendingDoesNotWaitForAWriteThatWaitsForAnotherProcess() throws {
    let store = try scratch.open(MagicOptions(busyTimeout: 60))
    try store.update(Note("one"))
    let other = try scratch.raw()
    try other.execute("BEGIN IMMEDIATE")
    let group = DispatchGroup()
    let codes = Recorder<String>()
    DispatchQueue.global().async(group: group) {
      codes.note(code { try store.update(Note("two")) }?.description ?? "stored")
    }
    Thread.sleep(forTimeInterval: 0.2)
    let start = Date()
    try store.suspend()
    #expect(Date().timeIntervalSince(start) < 10)
    group.wait()
    #expect(codes.all == ["suspended"])
    try other.execute("COMMIT")
    store.resume()
    #expect(try store.object(of: Note.self).count == 1)
  }

  @Test func aRunningTransactionIsRolledBackEvenIfItsBodyCatchesErrors() throws {
    let store = try scratch.open()
    let note = Note("one")
    try store.update(note)
    let group = DispatchGroup()
    let codes = Recorder<String>()
    note.text = "two"
    let isWritten = DispatchSemaphore(value: 0)
    DispatchQueue.global().async(group: group) {
      let whole = code {
        try store.transaction { transaction in
          try transaction.update(note)
          isWritten.signal()
          while !store.shared.lifecycle.isSuspended { Thread.sleep(forTimeInterval: 0.001) }
          codes.note(code { try transaction.update(Note("x")) }?.description ?? "written")
        }
      }
      codes.note(whole?.description ?? "stored")
    }
    isWritten.wait()
    try store.suspend()
    group.wait()
    #expect(codes.all == ["suspended", "suspended"])
    #expect(try FileLocks.under(scratch.path) == [])
    store.resume()
    #expect(try store.object(of: Note.self).map(\.text) == ["one"])
    try store.update(note)
    #expect(try store.object(of: Note.self).map(\.text) == ["two"])
  }

  @Test func concurrentReadersAndWritersLoseNothing() throws {
    let store = try scratch.open()
    try store.update(Note("0"))
    let stored = Recorder<String>()
    let unexpected = Recorder<String>()
    let isDone = Recorder<String>()
    let group = DispatchGroup()
    for writer in 0..<4 {
      DispatchQueue.global().async(group: group) {
        var number = 0
        while isDone.all.isEmpty {
          number += 1
          let text = "\(writer)-\(number)"
          switch code({ try store.update(Note(text)) }) {
          case nil: stored.note(text)
          case .suspended: break
          case let code?: unexpected.note("\(code)")
          }
          let read = code { _ = try store.object(of: Note.self) }
          if let read, read != .suspended { unexpected.note("reading: \(read)") }
        }
      }
    }
    for _ in 0..<Effort("SUSPENSION", rounds: 25).rounds {
      Thread.sleep(forTimeInterval: 0.005)
      try store.suspend()
      #expect(try FileLocks.under(scratch.path) == [])
      let count = stored.all.count
      store.resume()
      // A busy machine may need longer than the pause above for one save.
      let end = Date(timeIntervalSinceNow: 2)
      while stored.all.count == count, Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    }
    isDone.note("done")
    group.wait()
    #expect(unexpected.all == [])
    #expect(stored.all.count > 10)
    let texts = try store.object(of: Note.self).map(\.text)
    #expect(texts.count == Set(texts).count)
    #expect(Set(texts) == Set(stored.all + ["0"]))
    #expect(try store.verify().findings.isEmpty)
  }
}
