import EngineConformance
import Foundation
import MagicGraph
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Several stores on one file share its connections, and each is closed separately.
@Suite struct HandleTests {
  private let scratch = Scratch()

  @Test func storesOnOneFileShareItsConnections() throws {
    let first = try scratch.open()
    let second = try scratch.open()
    #expect(first.shared === second.shared)
  }

  @Test func aSecondCloseDoesNotCloseAnotherStore() throws {
    let first = try scratch.open()
    let second = try scratch.open()
    first.close()
    first.close()
    try second.update(Note("kept"))
    #expect(throws: MagicError.self) { try first.update(Note("lost")) }
    #expect(try second.object(of: Note.self).map(\.text) == ["kept"])
  }

  @Test func closingAnOldStoreAgainDoesNotCloseTheReopenedOne() throws {
    let first = try scratch.open()
    first.close()
    let second = try scratch.open()
    first.close()
    let third = try scratch.open()
    #expect(second.shared === third.shared)
    second.close()
    try third.update(Note("kept"))
  }

  @Test func aReleasedStoreIsClosed() throws {
    weak var shared: SharedStore?
    do {
      let store = try MagicObjectStore.open(.temporary)
      try store.update(Note("x"))
      shared = store.shared
    }
    #expect(shared == nil)
  }

  @Test func aSymbolicLinkToTheDefaultFileOpensItsDatabase() throws {
    let real = try MagicObjectStore.open(.file(scratch.file("real.sqlite3")))
    let directory = scratch.file("directory")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/default.sqlite3", withDestinationPath: scratch.file("real.sqlite3"))
    let linked = try MagicObjectStore.open(.file(directory))
    #expect(linked.shared === real.shared)
  }

  @Test func aNestedCallIsAnError() throws {
    let store = try MagicObjectStore.open(.memory)
    try store.update(Note("x"))
    let error = #expect(throws: MagicError.self) {
      try store.first(of: Note.self) { _ in try !store.object(of: Note.self).isEmpty }
    }
    #expect(error?.code == .nestedCall)
    #expect(try store.object(of: Note.self).count == 1)
  }

  @Test func anObjectSavedInTwoDatabasesAtOnceIsStoredInBoth() throws {
    let first = try MagicObjectStore.open(.memory)
    let second = try MagicObjectStore.open(.memory)
    let note = Note("x")
    let schema = try ObjectSchema.of(Note.self)
    // The second's save is rolled back when the first's is committed.
    _ = try? second.database.writeBlocking { transaction in
      _ = try ObjectTransaction(transaction).save(note, schema)
      try first.update(note)
      throw CancellationError()
    }
    #expect(try first.object(of: Note.self).count == 1)
    #expect(try second.object(of: Note.self).isEmpty)
    try second.update(note)
    #expect(try second.object(of: Note.self).count == 1)
  }
}
