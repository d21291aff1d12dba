import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Snapshots that prevent checkpoints of the write-ahead log beyond its limit.
@Suite(.timeLimit(.minutes(5))) struct SnapshotLimitTests {
  let scratch = Scratch()

  struct Load: MagicObject {
    @MagicValue var bytes: Data
    @MagicValue var number: Int = 0

    init() {}
    init(kibibytes: Int) { bytes = Data(count: kibibytes << 10) }
  }

  struct Failure: Error {}

  private static let options = MagicOptions(
    durability: .normal, readers: 1, snapshotLimit: 1 << 20)

  private var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.file() + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Writes more than the limit of the log on another thread, and waits for its end.
  private func writeBeyondTheLimit(_ store: MagicObjectStore) throws {
    let (done, failure) = (DispatchSemaphore(value: 0), Box<(any Error)?>(nil))
    Thread {
      do { for _ in 0..<8 { try store.update(Load(kibibytes: 256)) } } catch {
        failure.value = error
      }
      done.signal()
    }.start()
    done.wait()
    if let error = failure.value { throw error }
  }

  private final class Box<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Checks a store with one row: its only reader is usable.
  private func check(
    _ options: MagicOptions = options, _ body: (MagicObjectStore) throws -> Void
  ) throws {
    try scratch.using(options) { store in
      try store.update(Load(kibibytes: 1))
      try body(store)
      // The reader was returned without an open transaction, and sees the last write.
      let last = Load(kibibytes: 1)
      last.number = 77
      try store.update(last)
      #expect(try store.object(of: Load.self).last?.number == 77)
      let counts = try store.read { snapshot in
        [try snapshot.object(of: Load.self).count, try snapshot.object(of: Load.self).count]
      }
      #expect(counts[0] == counts[1])
      #expect(store.shared.readerCount == 1)
      // No transaction prevents a checkpoint of the log.
      let isFree = try logIsFree()
      #expect(isFree)
    }
  }

  /// Whether no transaction prevents a complete checkpoint of the log.
  private func logIsFree() throws -> Bool {
    try scratch.raw().integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  @Test func theNextReadOfAnEndedSnapshotThrows() throws {
    try check { store in
      let error = #expect(throws: MagicError.self) {
        try store.read { snapshot in
          _ = try snapshot.object(of: Load.self)
          try writeBeyondTheLimit(store)
          _ = try snapshot.object(of: Load.self)
        }
      }
      #expect(error?.code == .snapshotTooOld)
    }
  }

  @Test func theLogCanBeCheckpointedWhileTheBodyStillRuns() throws {
    try check { store in
      try store.read { snapshot in
        _ = try snapshot.object(of: Load.self)
        try writeBeyondTheLimit(store)
        #expect(logSize < 2 << 20)
        let isFree = try logIsFree()
        #expect(isFree)
      }
    }
  }

  @Test func aRunningReadIsInterrupted() throws {
    try check { store in
      try store.update(contentsOf: (0..<500).map { _ in Load(kibibytes: 0) })
      var met = 0
      let error = #expect(throws: MagicError.self) {
        try store.read { snapshot in
          try snapshot.first(of: Load.self) { _ in
            met += 1
            if met == 1 { try writeBeyondTheLimit(store) }
            return false
          }
        }
      }
      #expect(error?.code == .snapshotTooOld)
      // Objects are read a batch ahead.
      #expect(met < 100)
    }
  }

  @Test func aBodyThatIgnoresTheErrorDoesNotReturn() throws {
    try check { store in
      let error = #expect(throws: MagicError.self) {
        try store.read { snapshot in
          _ = try snapshot.object(of: Load.self)
          try writeBeyondTheLimit(store)
          return (try? snapshot.object(of: Load.self))?.count ?? 0
        }
      }
      #expect(error?.code == .snapshotTooOld)
    }
  }

  @Test func aBodyThatReadsNothingFurtherReturns() throws {
    try check { store in
      let count = try store.read { snapshot in
        let count = try snapshot.object(of: Load.self).count
        try writeBeyondTheLimit(store)
        return count
      }
      #expect(count == 1)
    }
  }

  @Test func anErrorOfTheBodyIsRethrown() throws {
    try check { store in
      #expect(throws: Failure.self) {
        try store.read { snapshot in
          _ = try snapshot.object(of: Load.self)
          try writeBeyondTheLimit(store)
          do { _ = try snapshot.object(of: Load.self) } catch { throw Failure() }
        }
      }
      #expect(throws: Failure.self) {
        try store.read { snapshot in
          _ = try snapshot.object(of: Load.self)
          throw Failure()
        }
      }
    }
  }

  @Test func aSnapshotThatHasReadNothingPreventsNoCheckpoint() throws {
    try check { store in
      let count = try store.read { snapshot in
        try writeBeyondTheLimit(store)
        return try snapshot.object(of: Load.self).count
      }
      #expect(count == 9)
    }
  }

  @Test func aSnapshotInsideASnapshotEndsWithIt() throws {
    try check { store in
      var inner: MagicError.Code?
      let error = #expect(throws: MagicError.self) {
        try store.read { outer in
          _ = try outer.object(of: Load.self)
          do {
            try outer.read { snapshot in
              _ = try snapshot.object(of: Load.self)
              try writeBeyondTheLimit(store)
              #expect(logSize < 2 << 20)
              _ = try snapshot.object(of: Load.self)
            }
          } catch let error as MagicError { inner = error.code }
          _ = try outer.object(of: Load.self)
        }
      }
      #expect(inner == .snapshotTooOld)
      #expect(error?.code == .snapshotTooOld)
    }
  }

  @Test func allSnapshotsThatPreventACheckpointAreEnded() throws {
    var options = Self.options
    options.readers = 3
    try scratch.using(options) { store in
      try store.update(Load(kibibytes: 1))
      let codes = Box<[MagicError.Code?]>([])
      let (opened, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let done = DispatchSemaphore(value: 0)
      for _ in 0..<3 {
        Thread {
          var code: MagicError.Code?
          do {
            try store.read { snapshot in
              _ = try snapshot.object(of: Load.self)
              opened.signal()
              written.wait()
              _ = try snapshot.object(of: Load.self)
            }
          } catch { code = (error as? MagicError)?.code }
          codes.value.append(code)
          done.signal()
        }.start()
        opened.wait()
        try store.update(Load(kibibytes: 1))
      }
      try writeBeyondTheLimit(store)
      #expect(logSize < 2 << 20)
      for _ in 0..<3 {
        written.signal()
        done.wait()
      }
      #expect(codes.value == [.snapshotTooOld, .snapshotTooOld, .snapshotTooOld])
    }
  }

  @Test func belowTheLimitASnapshotIsNotEnded() throws {
    var options = Self.options
    options.snapshotLimit = 64 << 20
    try check(options) { store in
      let counts = try store.read { snapshot in
        let before = try snapshot.object(of: Load.self).count
        try writeBeyondTheLimit(store)
        return [before, try snapshot.object(of: Load.self).count]
      }
      #expect(counts == [1, 1])
    }
  }

  @Test func aReadInsideATransactionIsNotEnded() throws {
    try check { store in
      let count = try store.transaction { transaction in
        try transaction.read { snapshot in
          for _ in 0..<8 { _ = try snapshot.object(of: Load.self) }
        }
        for _ in 0..<8 { try transaction.update(Load(kibibytes: 256)) }
        return try transaction.read { try $0.object(of: Load.self).count }
      }
      #expect(count == 9)
    }
  }

  @Test(arguments: [0, -1])
  func aSnapshotLimitBelowOneIsRefused(_ limit: Int) throws {
    let error = #expect(throws: MagicError.self) {
      _ = try scratch.open(MagicOptions(snapshotLimit: limit))
    }
    #expect(error?.code == .invalidOption)
  }
}
