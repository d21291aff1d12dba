import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Free pages of the file, which later commits return to the file system.
@Suite struct FreePageTests {
  let scratch = Scratch()

  private func size(_ name: String = Scratch.name) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.file(name))
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private static func notes(_ count: Int, bytes: Int = 1_000) -> [Note] {
    let text = String(repeating: "x", count: bytes)
    return (0..<count).map { Note("\($0) \(text)") }
  }

  private func options(_ durability: MagicOptions.Durability = .normal) -> MagicOptions {
    MagicOptions(durability: durability)
  }

  @Test(arguments: [MagicOptions.Durability.normal, .full])
  func theSpaceOfTenThousandRemovedObjectsIsReturned(_ durability: MagicOptions.Durability) throws {
    let store = try scratch.open(options(durability))
    try store.update(contentsOf: Self.notes(10_000))
    try store.backup(to: scratch.file("full.sqlite3"))
    let full = size("full.sqlite3")
    try store.removeAll(of: Note.self)
    for number in 0..<10 { try store.update(Note("\(number)")) }
    let after = size()
    try store.backup(to: scratch.file("copy.sqlite3"))
    #expect(try store.verify().findings == [])
    store.close()
    print(
      "Free pages: \(full) bytes with 10,000 objects, \(after) after their removal, "
        + "\(size()) after closing, \(size("copy.sqlite3")) in a backup")
    #expect(full > 10_000_000)
    #expect(after < 200_000)
    #expect(size() < 200_000)
    #expect(size("copy.sqlite3") < 200_000)
    #expect(try scratch.using { store throws in try store.object(of: Note.self).count } == 10)
  }

  @Test func closingReturnsTheSpaceThatNoLaterCommitReturned() throws {
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(5_000))
    try store.removeAll(of: Note.self)
    store.close()
    #expect(size() < 200_000)
  }

  @Test func anEighthOfThePagesStaysFree() throws {
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(8_000))
    let kept = try store.object(of: Note.self).enumerated().filter { $0.offset % 2 == 0 }
    try store.remove(contentsOf: try store.object(of: Note.self).prefix(4_000).map { $0 })
    for number in 0..<20 { try store.update(Note("\(number)")) }
    store.close()
    let counts = try scratch.raw().pageCounts()
    #expect(counts.free > counts.all / 20 && counts.free <= counts.all / 8 + 2)
    #expect(kept.count == 4_000)
  }

  @Test func aMebibyteStaysFree() throws {
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(900))
    try store.removeAll(of: Note.self)
    for number in 0..<20 { try store.update(Note("\(number)")) }
    store.close()
    #expect(size() > 900_000)
  }

  @Test func theRowsThatArePushedDownStayTheSame() throws {
    let store = try scratch.open(options())
    var notes = Self.notes(6_000, bytes: 900)
    try store.update(contentsOf: notes)
    try store.remove(contentsOf: Array(notes.prefix(4_500)))
    notes.removeFirst(4_500)
    for _ in 0..<20 {
      notes[0].text += "y"
      try store.update(notes[0])
    }
    #expect(try store.verify().findings == [])
    store.close()
    #expect(size() < 2_500_000)
    let stored = try scratch.using { store throws in try store.object(of: Note.self) }
    #expect(stored.map(\.zIndex) == notes.map(\.zIndex))
    #expect(stored.map(\.text) == notes.map(\.text))
  }

  @Test func aReaderContinuesToReadTheRemovedObjects() throws {
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(5_000))
    let raw = try scratch.raw()
    try raw.begin(.deferred)
    #expect(try raw.integer("SELECT count(*) FROM Note") == 5_000)
    try store.removeAll(of: Note.self)
    for number in 0..<10 { try store.update(Note("\(number)")) }
    #expect(size() > 5_000_000)
    #expect(try raw.integer("SELECT sum(length(text)) FROM Note") ?? 0 > 5_000_000)
    try raw.commit()
    #expect(try raw.integer("SELECT count(*) FROM Note") == 10)
    raw.close()
    store.close()
    #expect(size() < 200_000)
  }

  @Test func aLockOfAnotherProcessDelaysNoSave() throws {
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(5_000))
    try store.removeAll(of: Note.self)
    let raw = try scratch.raw()
    try raw.transaction {
      try raw.execute("INSERT INTO Note (text) VALUES ('other')")
      // Closing waits for no other process.
      store.close()
    }
    #expect(try raw.texts("SELECT text FROM Note") == ["other"])
    #expect(try raw.texts("PRAGMA integrity_check") == ["ok"])
    raw.close()
  }

  @Test func aFileOfAnEarlierVersionIsLeftAsItIs() throws {
    try scratch.using(options()) { store throws in try store.update(Note("a")) }
    try scratch.change("PRAGMA auto_vacuum = NONE; VACUUM")
    let store = try scratch.open(options())
    try store.update(contentsOf: Self.notes(3_000))
    try store.removeAll(of: Note.self)
    for number in 0..<10 { try store.update(Note("\(number)")) }
    store.close()
    #expect(size() > 3_000_000)
  }

  @Test func theCommitOfThePagesIsRecordedLikeOthers() throws {
    let store = try scratch.open(options(.full))
    defer { store.close() }
    try store.update(contentsOf: Self.notes(5_000))
    try store.removeAll(of: Note.self)
    for number in 0..<10 { try store.update(Note("\(number)")) }
    let raw = try scratch.raw()
    defer { raw.close() }
    _ = try raw.integer("SELECT count(*) FROM Note")
    let frames = try scratch.bytes(Scratch.name + "-commits").withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    }
    #expect(frames == raw.walIndex.map { UInt64($0.frames) })
    // A copy of all files, as a power failure would leave them.
    for suffix in ["", "-wal", "-commits"] {
      try scratch.write(try scratch.bytes(Scratch.name + suffix), "left.sqlite3" + suffix)
    }
    let left = try MagicObjectStore.open(.file(scratch.file("left.sqlite3")))
    #expect(try left.object(of: Note.self).count == 10)
    #expect(try left.verify().findings == [])
    left.close()
  }

  @Test func singleSavesCountNoPages() throws {
    let recorder = Recorder<String>()
    let store = try scratch.open(MagicOptions(durability: .normal) { recorder.note($0) })
    defer { store.close() }
    try store.update(Note("a"))
    recorder.clear()
    for number in 0..<20 { try store.update(Note("\(number)")) }
    #expect(!recorder.contains("PRAGMA"))
  }
}
