import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import TestModels
import Testing

/// A disk that fails: no save is stored in part, and stored objects remain readable.
@Suite struct FaultTests {
  let scratch = Scratch()

  #if os(Linux)
    @Test func aSaveThatTheDiskRefusesStoresNothing() async throws {
      await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
        // No file of this process grows beyond 256 KiB; the write fails and no signal is sent.
        signal(SIGXFSZ, SIG_IGN)
        try saveBeyondLimit(path, limit: 256 * 1024)
      }
    }
  #endif

  @Test func savesToAMovedFileAreRefused() throws {
    let store = try scratch.open()
    defer { store.close() }
    let note = Note("a")
    let zIndex = try store.update(note)
    let moved = scratch.file("moved.sqlite3")
    try FileManager.default.moveItem(atPath: scratch.file(), toPath: moved)
    note.text = "b"
    for call in [{ _ = try store.update(note) }, { try store.remove(note) }] {
      let error = #expect(throws: MagicError.self) { try call() }
      #expect(error?.code == .fileMoved)
    }
    #expect(note.zIndex == zIndex)
    try FileManager.default.moveItem(atPath: moved, toPath: scratch.file())
    try store.update(note)
    #expect(try store.object(of: Note.self).map(\.text) == ["b"])
  }

  @Test func savesToADeletedFileAreRefused() throws {
    let store = try scratch.open()
    defer { store.close() }
    try store.update(Note("a"))
    try FileManager.default.removeItem(atPath: scratch.file())
    let error = #expect(throws: MagicError.self) { try store.update(Note("b")) }
    #expect(error?.code == .fileMoved)
  }

  @Test func aReplacedFileIsNeitherWrittenNorRead() throws {
    let other = try MagicObjectStore.open(.file(scratch.file("other.sqlite3")))
    try other.update(contentsOf: ["x", "y", "z"].map { Note($0) })
    other.close()
    try scratch.using { store in _ = try store.update(Note("mine")) }
    let store = try scratch.open()
    defer { store.close() }
    try FileManager.default.removeItem(atPath: scratch.file())
    try FileManager.default.moveItem(
      atPath: scratch.file("other.sqlite3"), toPath: scratch.file())
    let error = #expect(throws: MagicError.self) { try store.update(Note("b")) }
    #expect(error?.code == .fileMoved)
    // A read returns rows of the database that was opened, or throws; never rows of the other one.
    do {
      let texts = try store.object(of: Note.self).map(\.text)
      #expect(texts == ["mine"])
    } catch let error as MagicError {
      #expect(error.code == .fileMoved)
    }
  }

  @Test func aFullDatabaseRefusesSavesAndStaysConsistent() throws {
    let store = try scratch.open()
    defer { store.close() }
    let notes = (0..<10).map { Note("kept \($0)") }
    try store.update(contentsOf: notes)
    try store.shared.readOnWriter {
      try $0.connection.execute("PRAGMA max_page_count = 20")
    }
    notes[0].text = "changed"
    let large = (0..<50).map { Note(String(repeating: "x", count: 5_000) + "\($0)") }
    let error = #expect(throws: MagicError.self) {
      try store.update(contentsOf: [notes[0]] + large)
    }
    #expect(error?.code == .diskFull)
    #expect(large.allSatisfy { $0.zIndex == nil })
    let texts = try store.object(of: Note.self).map(\.text)
    #expect(texts == (0..<10).map { "kept \($0)" })
    // Small saves are stored, and all saves when space is free again.
    try store.update(notes[0])
    try store.shared.readOnWriter {
      try $0.connection.execute("PRAGMA max_page_count = 1000000")
    }
    try store.update(contentsOf: large)
    #expect(try store.object(of: Note.self).count == 60)
    #expect(try store.object(of: Note.self)[0].text == "changed")
  }
}

/// Saves until a write fails, and then compares the stored objects.
private func saveBeyondLimit(_ path: String, limit: UInt) throws {
  let store = try MagicObjectStore.open(.file(path))
  let notes = (0..<100).map { Note("kept \($0)") }
  try store.update(contentsOf: notes)

  var rights = rlimit(rlim_cur: rlim_t(limit), rlim_max: .max)
  #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &rights) == 0)
  let large = (0..<50).map { Note(String(repeating: "x", count: 50_000) + "\($0)") }
  notes[0].text = "changed"
  let error = #expect(throws: MagicError.self) {
    try store.update(contentsOf: [notes[0]] + large)
  }
  #expect([.diskFull, .inputOutput].contains(error?.code))
  #expect(large.allSatisfy { $0.zIndex == nil })
  #expect(try store.object(of: Note.self).map(\.text) == (0..<100).map { "kept \($0)" })

  rights.rlim_cur = .max
  #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &rights) == 0)
  try store.update(contentsOf: [notes[0]] + large)
  #expect(try store.object(of: Note.self).count == 150)
  #expect(try store.object(of: Note.self)[0].text == "changed")
  store.close()
  #expect(try SQLiteConnection(path: path).text("PRAGMA integrity_check") == "ok")
}
