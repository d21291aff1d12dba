import CMagicSQLite
import DiskSimulation
import Foundation
import MagicData
import MagicFiles
import MagicSQLite
import MagicStore
import MagicTestSupport
import SQLiteEngine
import TestModels
import Testing

/// A disk that is full or fails: nothing is stored in part, stored objects can be read, and the
/// next save succeeds once the disk works again.
@Suite struct FailingDiskTests {
  let scratch = Scratch()

  /// The disk of the directory that a database is in.
  private static func disk(of path: String) throws -> SimulatedDisk {
    try SimulatedDisk(at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  /// Creates a database of ten notes on a disk that can fail, and calls the body with it.
  private static func withNotes(
    _ path: String, _ body: (MagicData, [Note], SimulatedDisk) async throws -> Void
  ) async throws {
    let disk = try Self.disk(of: path)
    let magic = try await MagicData(path: path)
    let notes = (0..<10).map { Note("kept \($0)") }
    try await magic.update(contentsOf: notes)
    try await body(magic, notes, disk)
    await magic.close()

    let again = try await MagicData(path: path)
    #expect(try await again.verify().findings == [])
    #expect(try await again.texts().count == 60)
    await again.close()
  }

  /// Expects that writes of all kinds fail and change nothing while the disk fails, and that they
  /// succeed afterwards.
  private static func expectNothingIsStored(
    _ code: MagicError.Code, _ magic: MagicData, _ notes: [Note], _ disk: SimulatedDisk,
    _ call: DiskCall, _ number: Int32
  ) async throws {
    let large = (0..<50).map { Note(String(repeating: "x", count: 5_000) + "\($0)") }
    notes[0].text = "changed"
    disk.calls.fail(call, with: number, isLasting: true)
    await expect(code) { try await magic.update(contentsOf: [notes[0]] + large) }
    await expect(code) { try await magic.remove(notes[1]) }
    for write in writes(of: magic) { await expect(code) { try await write() } }
    #expect(large.allSatisfy { $0.zIndex == nil })
    #expect(notes[1].zIndex != nil)
    // Reads still succeed.
    #expect(try await magic.texts() == (0..<10).map { "kept \($0)" })
    disk.heal()
    #expect(disk.calls.failureCount > 0)

    #expect(try await magic.texts() == (0..<10).map { "kept \($0)" })
    try await magic.update(contentsOf: [notes[0]] + large)
    #expect(try await magic.object(of: Note.self).count == 60)
    #expect(try await magic.texts().first == "changed")
  }

  @Test func nothingIsStoredOnAFullDiskAndEverythingOnceThereIsSpace() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withNotes(path) { magic, notes, disk in
        try await Self.expectNothingIsStored(.diskFull, magic, notes, disk, .write, ENOSPC)
      }
    }
  }

  @Test func aFailedWriteStoresNothing() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withNotes(path) { magic, notes, disk in
        try await Self.expectNothingIsStored(
          .inputOutput, magic, notes, disk, .write, EIO)
      }
    }
  }

  @Test func aFailedSyncStoresNothing() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withNotes(path) { magic, notes, disk in
        try await Self.expectNothingIsStored(
          .inputOutput, magic, notes, disk, .sync, EIO)
      }
    }
  }

  @Test func aFailedReadIsAnErrorAndTheNextReadSucceeds() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      try await Self.withNotes(path) { magic, notes, disk in
        let large = (0..<50).map { Note(String(repeating: "x", count: 5_000) + "\($0)") }
        try await magic.update(contentsOf: large)
        await magic.close()
        let again = try await MagicData(path: path)
        disk.calls.fail(.read, with: EIO, isLasting: true)
        await expect(.inputOutput) { _ = try await again.object(of: Note.self) as [Note] }
        await expect(.inputOutput) { try await again.update(Note("new")) }
        disk.heal()
        #expect(disk.calls.failureCount > 0)
        #expect(try await again.object(of: Note.self).count == 60)
        await again.close()
      }
    }
  }

  @Test func aDatabaseAtItsPageLimitRefusesNewRowsAndStaysConsistent() async throws {
    try await scratch.using { magic async throws in
      let notes = (0..<10).map { Note("kept \($0)") }
      try await magic.update(contentsOf: notes)
      try limitPages(of: magic, to: 20)
      notes[0].text = "changed"
      let large = (0..<50).map { Note(String(repeating: "x", count: 5_000) + "\($0)") }
      await expect(.diskFull) { try await magic.update(contentsOf: [notes[0]] + large) }
      #expect(large.allSatisfy { $0.zIndex == nil })
      #expect(try await magic.texts() == (0..<10).map { "kept \($0)" })
      // A change that needs no new page is stored.
      try await magic.update(notes[0])
      try limitPages(of: magic, to: 1_000_000)
      try await magic.update(contentsOf: large)
      #expect(try await magic.object(of: Note.self).count == 60)
      #expect(try await magic.verify().findings == [])
    }
  }

  /// Creates a database with many notes and closes it, so that its file has their pages.
  private static func makeNotes(_ path: String) async throws {
    let magic = try await MagicData(path: path)
    try await magic.update(
      contentsOf: (0..<1_000).map { Note(String(repeating: "x", count: 1_000) + "\($0)") })
    await magic.close()
  }

  /// Changes each note in a commit of its own: the log grows, and the database file does not.
  private static func changeNotes(_ notes: [Note], in magic: MagicData) async throws {
    for note in notes {
      note.stars = 5
      try await magic.update(note)
    }
  }

  @Test func objectsCanBeRemovedOnAFullDiskAndTheirPagesAreReused() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let disk = try Self.disk(of: path)
      try await Self.makeNotes(path)
      let magic = try await MagicData(path: path)
      let notes = try await magic.object(of: Note.self)
      try await Self.changeNotes(Array(notes[..<300]), in: magic)
      disk.calls.fail(.grow, with: ENOSPC, isLasting: true)
      let large = (0..<1_000).map { Note(String(repeating: "y", count: 4_000) + "\($0)") }
      await expect(.diskFull) { try await magic.update(contentsOf: large) }
      // Synchronously and in a task; single objects and all objects.
      try await magic.remove(notes[0])
      await expect(.diskFull) { try await magic.update(contentsOf: large) }
      let store = magic.store
      try await Task.detached { try Self.blocking { try store.remove(notes[1]) } }.value
      #expect(try await magic.query(Note.self).count() == 998)
      await expect(.diskFull) {
        try await magic.transaction { _ = try $0.update(contentsOf: large) }
      }
      #expect(try await magic.removeAll(of: Note.self) == 998)
      try await magic.update(contentsOf: large[..<100].map { Note($0.text) })
      disk.heal()
      #expect(disk.calls.failureCount > 0)
      #expect(try await magic.query(Note.self).count() == 100)
      #expect(try await magic.verify().findings == [])
      await magic.close()
    }
  }

  private static func blocking(_ body: () throws -> Void) throws { try body() }

  @Test func theErrorOfARemovalOnAFullDiskSaysWhatTheLogNeeds() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let disk = try Self.disk(of: path)
      let magic = try await MagicData(path: path)
      let notes = (0..<300).map { Note(String(repeating: "x", count: 1_000) + "\($0)") }
      try await magic.update(contentsOf: notes)
      // The pages of the notes are only in the log; a checkpoint would grow the database file.
      disk.calls.fail(.grow, with: ENOSPC, isLasting: true)
      let error = await expect(.diskFull) { try await magic.remove(notes[0]) }
      #expect(error?.message.contains("write-ahead log") == true)
      #expect(notes[0].zIndex != nil)
      disk.heal()
      try await magic.remove(notes[0])
      #expect(try await magic.query(Note.self).count() == 299)
      await magic.close()
    }
  }

  @Test func aBackupToAFullDiskFailsAndLeavesNoFiles() async throws {
    await #expect(processExitsWith: .success) { [scratch = scratch.path as String] in
      let disk = try Self.disk(of: scratch + "/test.sqlite3")
      let magic = try await MagicData(path: scratch + "/test.sqlite3")
      try await magic.update(contentsOf: (0..<1_000).map { Note("\($0)") })
      disk.calls.fail(.write, with: ENOSPC, isLasting: true)
      await expect(.diskFull) { try await magic.backup(to: scratch + "/copy.sqlite3") }
      disk.heal()
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch)
      #expect(names.allSatisfy { $0.hasPrefix("test.sqlite3") })
      try await magic.backup(to: scratch + "/copy.sqlite3")
      await magic.close()
    }
  }

  @Test func nothingIsStoredWhenMemoryRunsOut() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path, options: MagicOptions(durability: .normal))
      try await magic.update(contentsOf: (0..<10).map { Note("kept \($0)") })
      var failures = 0
      for step in 0..<60 {
        let large = (0..<20).map { Note(String(repeating: "x", count: 20_000) + "\(step) \($0)") }
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(step * 20_000))
        do {
          try await magic.update(contentsOf: large)
          sqlite3_hard_heap_limit64(0)
          #expect(try await magic.object(of: Note.self).count == 30)
          try await magic.remove(contentsOf: large)
        } catch let error as MagicError {
          sqlite3_hard_heap_limit64(0)
          failures += 1
          #expect(error.code == .outOfMemory, "\(error)")
          #expect(large.allSatisfy { $0.zIndex == nil })
        }
        #expect(try await magic.texts() == (0..<10).map { "kept \($0)" })
      }
      #expect(failures > 0 && failures < 60)
      #expect(try await magic.verify().findings == [])
      await magic.close()
    }
  }
}

/// Limits the database file to a number of pages.
private func limitPages(of magic: MagicData, to count: Int) throws {
  try magic.store.shared.readOnWriter {
    try $0.connection.execute("PRAGMA max_page_count = \(count)")
  }
}
