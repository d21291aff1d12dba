import MagicSQLite
package import MagicStore
package import MagicTestSupport
package import SQLiteStore
package import Testing

extension Scratch {
  /// Opens the database on the engine that is tested.
  package func open(_ options: MagicOptions = .init()) throws -> MagicObjectStore {
    try MagicObjectStore.onTestedEngine(.file(file()), options: options)
  }

  /// Opens the database on the engine that is tested, for the duration of the body.
  @discardableResult
  package func using<Result>(
    _ options: MagicOptions = .init(), _ body: (MagicObjectStore) throws -> Result
  ) throws -> Result {
    let store = try open(options)
    defer { store.close() }
    return try body(store)
  }

  /// Expects the number of rows in a table of the file, such as a join table. Checks nothing on an
  /// engine without files.
  package func expectRows(
    _ count: Int64, in table: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard TestedEngine.current.has(.files) else { return }
    let file = try raw()
    defer { file.close() }
    let found = try file.integer("SELECT count(*) FROM \"\(table)\"")
    #expect(found == count, "rows of \(table)", sourceLocation: sourceLocation)
  }

  /// Expects the number of files of assets. Checks nothing on an engine without files.
  package func expectAssets(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    guard TestedEngine.current.has(.files) else { return }
    #expect(assetFiles.count == count, "files of assets", sourceLocation: sourceLocation)
  }

  /// Expects that SQLite finds no damage in the file, and no violated foreign key. Checks nothing on an
  /// engine without files.
  package func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard TestedEngine.current.has(.files) else { return }
    let file = try raw()
    defer { file.close() }
    #expect(try file.damage() == [], sourceLocation: sourceLocation)
  }
}
