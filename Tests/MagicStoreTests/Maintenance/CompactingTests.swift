import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteEngine
import SQLiteStore
import TestModels
import Testing

/// A database whose free space is returned at once.
@Suite struct CompactingTests {
  let scratch = Scratch()

  /// Whether free pages can be returned one by one, or the file must be written again.
  enum Kind: CaseIterable { case incremental, earlier }

  private func size(_ suffix: String = "") -> Int {
    let path = scratch.file() + suffix
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Leaves a file with 3,000 notes of 1 KB, of which every second one was removed.
  private func open(
    _ kind: Kind, _ options: MagicOptions = MagicOptions(), count: Int = 3_000
  ) throws -> MagicObjectStore {
    if kind == .earlier {
      try scratch.using { store throws in try store.update(Note("first")) }
      try scratch.change(
        """
        PRAGMA auto_vacuum = NONE; VACUUM;
        PRAGMA user_version = 7; PRAGMA application_id = 8;
        CREATE TABLE foreign_table (a TEXT DEFAULT "x"); INSERT INTO foreign_table VALUES (1), (2);
        CREATE INDEX foreign_index ON foreign_table (a);
        """)
    }
    var options = options
    // Nothing is returned by itself.
    options.minimumFreeSpace = 1 << 40
    let store = try scratch.open(options)
    let text = String(repeating: "x", count: 1_000)
    try store.update(contentsOf: (0..<count).map { Note("\($0) \(text)") })
    let notes = try store.object(of: Note.self)
    try store.remove(contentsOf: stride(from: 0, to: notes.count, by: 3).map { notes[$0] })
    try store.remove(contentsOf: stride(from: 1, to: notes.count, by: 3).map { notes[$0] })
    return store
  }

  private func rows(_ store: MagicObjectStore) throws -> [String] {
    try store.object(of: Note.self).map { "\($0.zIndex.map { "\($0)" } ?? "") \($0.text)" }
  }

  @Test(arguments: Kind.allCases)
  func theFileIsAsLargeAsItsContent(_ kind: Kind) throws {
    let store = try open(kind)
    defer { store.close() }
    let before = try rows(store)
    let recorder = Recorder<MagicCompactionProgress>()
    let result = try store.compact { recorder.note($0) }
    #expect(result.bytesBefore > 2_500_000)
    #expect(result.bytesAfter < result.bytesBefore / 2)
    #expect(size() == result.bytesAfter)
    #expect(size("-wal") == 0)
    #expect(try rows(store) == before)
    #expect(try store.verify().findings == [])
    #expect(recorder.all.first?.fraction == 0)
    #expect(recorder.all.last?.fraction == 1)
    #expect(recorder.all.map(\.fraction) == recorder.all.map(\.fraction).sorted())
    let again = try store.compact()
    #expect(again.bytesReturned == 0)
    #expect(try store.repair().findings == [])
    let new = Note("new")
    try store.update(new)
    #expect(new.zIndex.map { $0.rawValue } ?? 0 > 3_000)
  }

  @Test func aFileOfAnEarlierVersionReturnsSpaceByItselfAfterwards() throws {
    let store = try open(.earlier)
    #expect(try scratch.raw().hasIncrementalVacuum() == false)
    let identifier = try scratch.raw().text("SELECT database_id FROM magic_format")
    try store.compact()
    let raw = try scratch.raw()
    #expect(try raw.hasIncrementalVacuum())
    #expect(try raw.text("SELECT database_id FROM magic_format") == identifier)
    #expect(try raw.integer("PRAGMA user_version") == 7)
    #expect(try raw.integer("PRAGMA application_id") == 8)
    #expect(try raw.texts("SELECT a FROM foreign_table") == ["1", "2"])
    #expect(try raw.text("PRAGMA journal_mode") == "wal")
    #expect(try raw.texts("PRAGMA integrity_check") == ["ok"])
    raw.close()
    // The schema cannot be written, as before.
    try store.shared.readOnWriter { writer throws in
      #expect(throws: SQLiteError.self) {
        try writer.connection.execute(
          "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'x'")
      }
      #expect(throws: SQLiteError.self) { try writer.connection.execute("SELECT \"text\"") }
    }
    store.close()
    let next = try scratch.open(MagicOptions(durability: .normal))
    try next.update(
      contentsOf: (0..<3_000).map { Note("\($0) \(String(repeating: "z", count: 900))") })
    try next.removeAll(of: Note.self)
    next.close()
    #expect(size() < 300_000)
  }

  @Test(arguments: Kind.allCases)
  func readersKeepTheirSnapshot(_ kind: Kind) throws {
    let store = try open(kind)
    let before = try rows(store)
    let raw = try scratch.raw()
    try raw.begin(.deferred)
    let count = try raw.integer("SELECT count(*) FROM Note")
    let inside = try store.read { snapshot in
      let first = try snapshot.object(of: Note.self).count
      try store.unnested { try $0.compact() }
      return (first, try snapshot.object(of: Note.self).count)
    }
    #expect(inside.0 == inside.1)
    #expect(try raw.integer("SELECT count(*) FROM Note") == count)
    #expect(try rows(store) == before)
    try raw.commit()
    #expect(try raw.texts("PRAGMA integrity_check") == ["ok"])
    raw.close()
    store.close()
    #expect(size() < 2_000_000)
  }

  @Test(arguments: Kind.allCases)
  func aDatabaseThatAnotherProcessWritesIsBusy(_ kind: Kind) throws {
    let store = try open(kind, MagicOptions(busyTimeout: 0.05))
    defer { store.close() }
    let before = try rows(store)
    let raw = try scratch.raw()
    defer { raw.close() }
    try raw.transaction { () throws in
      let error = #expect(throws: MagicError.self) { try store.compact() }
      #expect(error?.code == .busy)
      #expect(try rows(store) == before)
    }
    try store.compact()
    #expect(try rows(store) == before)
  }

  @Test func onlyAWritableDatabaseIsCompacted() throws {
    try open(.incremental).close()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let error = #expect(throws: MagicError.self) { try store.compact() }
      #expect(error?.code == .readOnly)
    }
  }

  @Test func aDatabaseInMemoryIsCompacted() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    try store.update(
      contentsOf: (0..<2_000).map { Note("\($0) \(String(repeating: "x", count: 900))") })
    try store.removeAll(of: Note.self)
    try store.update(Note("a"))
    let result = try store.compact()
    #expect(result.bytesReturned > 1_000_000)
    #expect(try store.object(of: Note.self).map(\.text) == ["a"])
  }

  @Test func anEmptyDatabaseIsCompacted() throws {
    let store = try scratch.open()
    defer { store.close() }
    let result = try store.compact()
    #expect(result.bytesReturned == 0)
    try store.update(Note("a"))
    #expect(try store.verify().findings == [])
  }

  @Test(arguments: Kind.allCases)
  func aCompactingBackupHasNoFreePages(_ kind: Kind) throws {
    let store = try open(kind)
    defer { store.close() }
    let before = try rows(store)
    try store.backup(to: scratch.file("whole.sqlite3"))
    try store.backup(to: scratch.file("copy.sqlite3"), compacting: true)
    #expect(
      scratch.names.filter { !$0.hasPrefix(Scratch.name) } == ["copy.sqlite3", "whole.sqlite3"])
    #expect(try scratch.raw("whole.sqlite3").freePageCount() > 100)
    #expect(try scratch.raw("copy.sqlite3").freePageCount() == 0)
    let copy = try MagicObjectStore.open(.file(scratch.file("copy.sqlite3")))
    defer { copy.close() }
    #expect(try rows(copy) == before)
    #expect(try copy.verify().findings == [])
    #expect(try scratch.raw("copy.sqlite3").hasIncrementalVacuum())
  }

  @Test(arguments: Kind.allCases)
  func theCommitIsRecordedLikeOthers(_ kind: Kind) throws {
    let store = try open(kind)
    defer { store.close() }
    let before = try rows(store)
    let raw = try scratch.raw()
    defer { raw.close() }
    // The reader keeps the log, so that the compaction is only there.
    try raw.begin(.deferred)
    _ = try raw.integer("SELECT count(*) FROM Note")
    try store.compact()
    let frames = try scratch.bytes(Scratch.name + "-commits").withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    }
    #expect(frames > 0)
    #expect(frames == raw.walIndex.map { UInt64($0.frames) })
    for suffix in ["", "-commits", "-wal"] {
      try scratch.write(try scratch.bytes(Scratch.name + suffix), "left.sqlite3" + suffix)
    }
    let left = try MagicObjectStore.open(.file(scratch.file("left.sqlite3")))
    #expect(try rows(left) == before)
    #expect(try left.verify().findings == [])
    left.close()
    raw.rollBack()
  }
}

extension MagicObjectStore {
  /// Runs a blocking call on another thread, because a call inside a body of the same database is
  /// refused.
  fileprivate func unnested<Result: Sendable>(
    _ body: @escaping @Sendable (MagicObjectStore) throws -> Result
  ) throws -> Result {
    let done = DispatchSemaphore(value: 0)
    let recorder = Recorder<Swift.Result<Result, any Error>>()
    Thread {
      recorder.note(.init { try body(self) })
      done.signal()
    }.start()
    done.wait()
    return try recorder.all[0].get()
  }
}
