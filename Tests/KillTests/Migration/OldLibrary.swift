import Foundation
import KillProgram
import MagicSQLite
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import Testing

/// A separate copy of the database before its migration, for one test.
struct OldLibrary {
  let reference: MigrationReference
  let path: String
  private let directory: TemporaryDirectory

  init() throws {
    reference = try MigrationReference.shared.get()
    directory = try TemporaryDirectory()
    path = directory.file("library.sqlite3").path
    try reference.copy(to: path)
  }

  func open(_ options: MagicOptions = MagicOptions(durability: .normal)) throws -> MagicObjectStore
  {
    try MagicObjectStore.open(.file(path), options: options)
  }

  /// Opens another connection, as another process would.
  func raw() throws -> SQLiteConnection {
    try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
  }

  /// Expects the tables, rows and files of the old state.
  func expectOld(_ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation) throws {
    let dump = try DatabaseDump(of: path)
    #expect(dump.faults == [], comment, sourceLocation: location)
    #expect(dump.differences(from: reference.before) == [], comment, sourceLocation: location)
  }

  /// Expects the tables, rows and files of the new state, with an open store.
  func expectNew(
    _ store: MagicObjectStore, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let dump = try DatabaseDump(of: path)
    #expect(dump.faults == [], comment, sourceLocation: location)
    let after = try #require(reference.ways[.blocking]?.after)
    #expect(dump.differences(from: after) == [], comment, sourceLocation: location)
    #expect(try Library.faults(in: store) == [], comment, sourceLocation: location)
    #expect(try store.verify().findings.isEmpty, comment, sourceLocation: location)
  }
}

extension MagicObjectStore {
  /// Expects that the writer connection has its default settings.
  func expectDefaultSettings(at location: SourceLocation = #_sourceLocation) throws {
    try shared.readOnWriter { writer throws in
      let connection = writer.connection
      #expect(!connection.isInTransaction, sourceLocation: location)
      #expect(try connection.integer("PRAGMA foreign_keys") == 1, sourceLocation: location)
      #expect(try connection.integer("PRAGMA legacy_alter_table") == 0, sourceLocation: location)
    }
  }
}
