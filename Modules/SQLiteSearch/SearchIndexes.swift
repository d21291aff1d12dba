package import MagicFiles
package import MagicSQLite
package import MagicSchema
package import SQLiteTables

/// The search indexes of a file, on one connection.
package final class SearchIndexes {
  let connection: SQLiteConnection
  private let texts: FileTexts
  private var definesFunctions = false
  private var known: (schemaVersion: Int64, indexes: [SearchIndex])?
  /// Whether the schema may have changed since ``known`` was read.
  private var mayHaveChanged = true

  package init(_ connection: SQLiteConnection, folder: AssetFolder) {
    self.connection = connection
    texts = FileTexts(folder)
  }

  /// Updates all indexes with the rows that have changed. Called inside a write transaction, before
  /// the commit.
  ///
  /// If SQL of the user has renamed a column, its index cannot be updated. The rows remain in the log,
  /// and a search of the type throws the error.
  package func update() throws {
    for index in try currentIndexes() {
      do {
        try update(index)
      } catch let error as SQLiteError where error.code == .error {
        continue
      }
    }
  }

  /// Updates the indexes of types.
  package func update(of schemas: [ObjectSchema]) throws {
    for index in try indexes() {
      guard schemas.contains(where: { $0.tableName == index.table.table }) else { continue }
      try update(index)
    }
  }

  /// Whether the index of a type lacks changed rows; nil if there is no index.
  package func isOutdated(_ schema: ObjectSchema) throws(SQLiteError) -> Bool? {
    guard let index = try indexes().first(where: { $0.table.table == schema.tableName }) else {
      return nil
    }
    return try hasChangedRows(index)
  }

  /// Returns the index whose full-text table or log, or a part of it, has a name.
  package func table(named name: String) throws(SQLiteError) -> SearchTable? {
    try tables().first { name == $0.log || name == $0.name || name.hasPrefix($0.name + "_") }
  }

  /// The schema may have changed. The connection that writes calls this, so that a commit without
  /// changes of the schema does not read its version.
  package func noteSchemaChange() { mayHaveChanged = true }

  /// Returns the indexes of the file. They are read again after each change of the schema.
  package func tables() throws(SQLiteError) -> [SearchTable] { try indexes().map(\.table) }

  private func currentIndexes() throws(SQLiteError) -> [SearchIndex] {
    if let known, !mayHaveChanged { return known.indexes }
    let indexes = try indexes()
    mayHaveChanged = false
    return indexes
  }

  private func indexes() throws(SQLiteError) -> [SearchIndex] {
    let statement = try connection.cachedStatement("PRAGMA main.schema_version")
    defer { statement.reset() }
    let version = try statement.step() ? statement.column(0).integer : 0
    if let known, known.schemaVersion == version { return known.indexes }
    let indexes = try Catalogue(connection: connection).searchTables().map { SearchIndex($0) }
    known = (version, indexes)
    return indexes
  }

  private func hasChangedRows(_ index: SearchIndex) throws(SQLiteError) -> Bool {
    let statement = try connection.cachedStatement(index.hasLogged)
    defer { statement.reset() }
    return try statement.step()
  }

  /// What the log of an index contains.
  private struct LoggedRows {
    /// Whether the index has texts of a row in the log, which must be deleted.
    let areIndexed: Bool
    /// Whether the index has texts of a row that is new according to the log.
    let areReplaced: Bool
  }

  /// Returns nil if the log is empty.
  private func loggedRows(_ index: SearchIndex) throws(SQLiteError) -> LoggedRows? {
    let statement = try connection.cachedStatement(index.logged)
    defer { statement.reset() }
    guard try statement.step(), !statement.column(0).isNull else { return nil }
    return LoggedRows(
      areIndexed: statement.column(0).integer != 0, areReplaced: statement.column(1).integer != 0)
  }

  /// Updates an index with the rows in its log, if there are any.
  ///
  /// The index does not contain the texts that it was made of. If a file that was indexed cannot be
  /// read any more, or if the index is damaged, the index is built again from all rows.
  private func update(_ index: SearchIndex) throws {
    let table = index.table
    try defineFunctions()
    do {
      guard let logged = try loggedRows(index) else { return }
      guard logged.areIndexed || logged.areReplaced else { return try insertLogged(index) }
      try connection.savepoint {
        if logged.areReplaced { return try rebuild(table) }
        texts.hasFailed = false
        try connection.cachedStatement(index.deleteLogged).run()
        if texts.hasFailed { return try rebuild(table) }
        try insertLogged(index)
      }
    } catch let error as SQLiteError
      where error.canBeDamage && connection.isInTransaction
    {
      try connection.savepoint { try recreate(table) }
    }
  }

  /// Inserts the texts of the rows in the log, and empties the log. Both statements are compiled first:
  /// if one of them names a column that does not exist, nothing has changed.
  private func insertLogged(_ index: SearchIndex) throws(SQLiteError) {
    let insert = try connection.cachedStatement(index.insertLogged)
    let clear = try connection.cachedStatement(index.clearLog)
    try insert.run()
    try clear.run()
  }

  /// Drops and creates the tables and triggers of an index, and inserts all rows.
  package func recreate(
    _ table: SearchTable, cancellation: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
  ) throws {
    try connection.writingShadowTables {
      for statement in table.clearData { try connection.execute(statement) }
    }
    for statement in table.drop + table.create { try connection.execute(statement) }
    try fill(table, cancellation: cancellation, progress: progress)
  }

  /// Inserts all rows of the type's table into an empty index.
  ///
  /// - Parameter progress: called with the number of rows after each batch.
  package func fill(
    _ table: SearchTable, cancellation: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
  ) throws {
    try defineFunctions()
    let last = try connection.prepare(
      "SELECT max(\"z_index\"), count(*) FROM (SELECT \"z_index\" FROM \(table.table.quoted) "
        + "WHERE \"z_index\" > ?1 ORDER BY \"z_index\" LIMIT ?2)")
    let insert = try connection.prepare(table.insertBatch)
    var (before, done) = (Int64.min, 0)
    while true {
      try cancellation()
      for statement in [last, insert] {
        try statement.bind(before, at: 1)
        try statement.bind(Int64(Self.batchSize), at: 2)
      }
      guard try last.step(), !last.column(0).isNull else { break }
      (before, done) = (last.column(0).integer, done + Int(last.column(1).integer))
      last.reset()
      try insert.run()
      progress(done)
    }
    try connection.execute(table.clearLog)
  }

  private static let batchSize = 2_000

  private func rebuild(_ table: SearchTable) throws {
    try connection.execute(
      "INSERT INTO \(table.name.quoted) (\(table.name.quoted)) VALUES ('delete-all')")
    try fill(table)
  }

  /// Defines the SQL functions that the statements call.
  func defineFunctions() throws(SQLiteError) {
    guard !definesFunctions else { return }
    let texts = texts
    try connection.defineTextFunction(SearchTable.fileFunction) { texts.text(inFileNamed: $0) }
    definesFunctions = true
  }
}

extension SQLiteError {
  /// Whether a damaged index can cause the error. A damaged record can contain a size for which there
  /// is no memory.
  var canBeDamage: Bool { code == .corrupt || code == .outOfMemory }
}

/// Reads the texts in asset files.
private final class FileTexts {
  private let folder: AssetFolder
  /// Whether a file could not be read.
  var hasFailed = false

  init(_ folder: AssetFolder) { self.folder = folder }

  /// Returns the bytes of a text; nil for a row without a file, and for a file that cannot be read. A
  /// row whose file is missing can still be saved.
  func text(inFileNamed name: String) -> [UInt8]? {
    guard !name.isEmpty else { return nil }
    guard let name = AssetName(name), let file = try? folder.open(name) else {
      hasFailed = true
      return nil
    }
    defer { file.close() }
    var bytes = [UInt8](repeating: 0, count: file.size)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes { memory in
        (try? file.read(at: count, into: UnsafeMutableRawBufferPointer(rebasing: memory[count...])))
          ?? 0
      }
      guard read > 0 else {
        hasFailed = true
        return nil
      }
      count += read
    }
    return bytes
  }
}
