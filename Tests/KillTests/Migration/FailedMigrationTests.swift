import Foundation
import KillProgram
import MagicFiles
import MagicSQLite
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import Testing

/// A migration that fails with the disk keeps the old state, and succeeds once the disk works
/// again.
@Suite struct FailedMigrationTests {
  @Test(arguments: [0, 1])
  func aDiskThatFillsUpDuringAMigrationKeepsTheOldState(_ room: Int64) throws {
    let library = try OldLibrary()
    let store = try library.open()
    defer { store.close() }
    try store.shared.readOnWriter { writer in
      let count = try writer.connection.integer("PRAGMA page_count") ?? 0
      try writer.connection.execute("PRAGMA max_page_count = \(count + room)")
    }
    let error = #expect(throws: MagicError.self) { try store.migrate(After.Shelf.self) }
    #expect(error?.code == .diskFull)
    try library.expectOld()
    try store.expectDefaultSettings()
    let atFirstUse = #expect(throws: MagicError.self) { try store.object(of: After.Shelf.self) }
    #expect(atFirstUse?.code == .diskFull)
    try library.expectOld()
    try store.shared.readOnWriter {
      try $0.connection.execute("PRAGMA max_page_count = 1000000")
    }
    try store.migrate(After.Shelf.self)
    try library.expectNew(store)
    try store.expectDefaultSettings()
  }

  @Test(arguments: [
    FileError.Operation.makeDirectory, .create, .write, .sync, .close, .rename, .lock,
    .syncDirectory,
  ])
  func aFailedFileOperationKeepsTheOldState(_ operation: FileError.Operation) throws {
    let library = try OldLibrary()
    for position in [1, 2, 17] {
      let files = Slot<FaultyFileSystem>()
      let store = try library.open(files.options)
      try library.expectOld()
      files.value?.fail(operation, at: position, with: ENOSPC)
      do {
        try store.migrate(After.Shelf.self)
        files.value?.heal()
        // There were fewer operations, or the migration succeeded despite the fault.
        try library.expectNew(store)
        store.close()
        return
      } catch let error as MagicError {
        #expect([.diskFull, .inputOutput].contains(error.code), "\(operation) \(position)")
        files.value?.heal()
        try library.expectOld("\(operation) \(position)")
        try store.expectDefaultSettings()
      }
      store.close()
    }
    let store = try library.open()
    try store.migrate(After.Shelf.self)
    try library.expectNew(store)
    store.close()
    #expect(try DatabaseDump(of: library.path).leftovers == [])
  }

  @Test func failingAllFileOperationsFromAnyPointKeepsTheOldStateOrTheNewOne() throws {
    for count in stride(from: 0, through: 210, by: 30) {
      let library = try OldLibrary()
      let files = Slot<FaultyFileSystem>()
      let store = try library.open(files.options)
      files.value?.stop(after: count)
      do {
        try store.migrate(After.Shelf.self)
        files.value?.heal()
        try library.expectNew(store, "after \(count)")
      } catch is MagicError {
        files.value?.heal()
        try library.expectOld("after \(count)")
        try store.migrate(After.Shelf.self)
      }
      try store.expectDefaultSettings()
      store.close()
      // The next open removes the files that could not be removed.
      let again = try library.open()
      try library.expectNew(again, "after \(count)")
      again.close()
      #expect(try DatabaseDump(of: library.path).leftovers == [], "after \(count)")
    }
  }
}

/// Holds the file system of an open store.
private final class Slot<Value>: @unchecked Sendable {
  var value: Value?
}

extension Slot<FaultyFileSystem> {
  fileprivate var options: MagicOptions {
    var options = MagicOptions(durability: .normal)
    options.fileSystem = { path, _ in
      let files = FaultyFileSystem(DiskFileSystem(root: path, durability: .none))
      self.value = files
      return files
    }
    return options
  }
}
