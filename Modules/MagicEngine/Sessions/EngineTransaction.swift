package import MagicSchema

/// A write transaction of an engine. Used by one thread at a time.
///
/// One call runs many rows. Errors are `MagicError`s that name the type. If a call throws, the
/// caller rolls back the rows that were run.
package protocol EngineTransaction: EngineStatementWriter {
  /// The reader of the transaction.
  var reader: any EngineReader { get }

  /// An empty changeset. The saves of the transaction reuse its memory.
  var changeset: Changeset { get }

  /// The object that is notified of the outcome, or nil. The engine notifies it once, before the
  /// observers of the commit, and then sets this property to nil.
  var participant: (any TransactionParticipant)? { get set }

  /// Runs a nested part of the transaction. If the body throws, the changes of this part are rolled
  /// back.
  ///
  /// - Parameter isOneRow: whether the part changes one row. An engine whose statements are atomic
  ///   needs no savepoint then.
  func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result

  /// - Throws: `MagicError` with `.transactionOver` if an error, for example a full disk, has
  ///   rolled back the whole transaction. The `cause` is that error.
  func requireOpen() throws

  /// The store that the transaction writes to.
  var token: StoreToken { get }

  /// Whether the type's table exists and has the schema that the type declares.
  func hasCurrentTable(of schema: ObjectSchema) throws -> Bool

  /// Creates or migrates the type's table, and the tables that it refers to.
  func updateTable(of schema: ObjectSchema) throws

  /// Whether a row ID may be reserved only after all earlier rows have run. This is the case if
  /// code in the database, for example a trigger, can also insert rows.
  var reservesOneByOne: Bool { get throws }

  /// Reserves a row ID that no row of the table has or had.
  ///
  /// - Parameter isAhead: whether other rows are inserted before the row that gets the ID.
  /// - Throws: `MagicError` with `.idsExhausted`.
  func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64

  /// Returns the next value of an auto-increment primary.
  func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int

  /// Returns the ID of the row that has the given values, or nil.
  ///
  /// - Parameters:
  ///   - columns: the primary, a unique column, or all columns of a unique index.
  ///   - field: the index of the first of their values in `values`.
  func rowID(
    with columns: [Int], at field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) throws -> Int64?

  /// Returns the IDs of the rows that have the given values, in their order; nil for none.
  ///
  /// - Parameters:
  ///   - columns: the primary, a unique column, or all columns of a unique index.
  ///   - field: the index of the first value in `values`. The values of one row follow each other.
  ///   - count: the number of rows.
  func rowIDs(
    with columns: [Int], at field: Int, count: Int, in values: FieldBuffer,
    _ schema: ObjectSchema
  ) throws -> [Int64?]

  /// The number of rows that one call of ``rowIDs(with:at:count:in:_:)`` should look up: 1 if a call
  /// for several rows is not faster.
  var lookUpLimit: Int { get }

  /// Whether the tables of types that the transaction has used have triggers of users, which may insert
  /// rows.
  var hasUserTriggers: Bool { get }

  /// Returns the versions of rows of a type with versions, by their row IDs.
  func versions(ofRows rowIDs: [Int64], of schema: ObjectSchema) throws -> [Int64: Int]

  /// Whether a row exists in the database.
  func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool

  /// The number of rows that one call of ``apply(_:)`` should run.
  var rowLimit: Int { get }

  /// Runs the remaining rows in order, up to an update or a requirement whose row is missing: it stops
  /// after that row, because the caller may insert a row in its place before the next one runs. For
  /// each row that is not in the expected state, the engine records an outcome, in the order of the
  /// rows: `.otherRow` for an upsert whose primary value belongs to another row, and for an insert if
  /// ``reservesOneByOne`` is true; `.updated` for an upsert that has updated a row with a version;
  /// `.missing` for an update or a requirement of a row that does not
  /// exist. Deleting a row that does not exist has no effect.
  ///
  /// - Throws: `MagicError`, for example `.notUnique` or `.constraint`.
  func apply(_ changes: Changeset) throws

  /// Starts to run a changeset, as ``apply(_:)`` would run it. The engine then runs it while the caller
  /// captures others. The caller calls ``complete()`` before anything else than reserving row IDs, and
  /// does not change the changeset before.
  ///
  /// - Returns: false if the engine has not started, because it would not be faster.
  func start(_ changes: Changeset) throws -> Bool

  /// Completes the changeset that was started. The caller then corrects its objects by the outcomes. Does
  /// nothing without one.
  ///
  /// - Throws: `MagicError`, as ``apply(_:)``.
  func complete() throws

  /// The number of objects of one call from which ``postponingIndexes(of:_:)`` can be faster.
  var postponingMinimum: Int { get }

  /// Runs a body that saves many new objects, and creates the indexes of the tables without rows after it, if
  /// that is faster. An index that must be created earlier has no effect on the result.
  ///
  /// - Parameter schemas: the types whose objects the body may save. None of them has a key.
  /// - Returns: false if the body has not run, or was rolled back, because two rows have the same value in a
  ///   unique index, or for another cause that may be due to the missing indexes. The caller then restores
  ///   its objects, and saves them without this method.
  /// - Throws: `MagicError`, as ``apply(_:)``, and what the body throws; both roll the body back.
  func postponingIndexes(of schemas: [ObjectSchema], _ body: () throws -> Void) throws -> Bool

  /// Writes the join rows of collections.
  func apply(_ changes: [MemberChange]) throws

  /// Returns the stored members of an owner's collection.
  func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice

  /// Returns the stored members of the collections of several owners, in their order.
  func storedMembers(
    ofEach owners: [Int64], in collection: Int, of schema: ObjectSchema
  ) throws -> [LinkSlice]

  /// Whether a row refers to a row that does not exist. The commit would fail.
  var hasBrokenReferences: Bool { get }

  /// Deletes all join rows between an owner's collection and the given members.
  func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws

  /// Deletes all join rows of an owner's collection.
  func removeAllMembers(of owner: Int64, in collection: Int, of schema: ObjectSchema) throws

  /// Deletes all rows of a type, and the rows that delete rules cascade to.
  ///
  /// - Returns: the number of rows of the type that were deleted.
  func removeAll(_ schema: ObjectSchema) throws -> Int

  /// Deletes the rows that a query finds, and the rows that delete rules cascade to.
  ///
  /// - Returns: the number of rows that were deleted, without cascades.
  func delete(_ query: PreparedQuery) throws -> Int

  /// Sets columns of the rows that a query finds. All new values are computed from the old values
  /// of the row.
  ///
  /// - Returns: the number of rows that the query found.
  func update(_ query: PreparedQuery) throws -> Int

  /// Creates a lease that keeps the database open for a lazy value. Nil if the database is closed.
  func makeLease() -> StoreLease?
}

extension EngineTransaction {
  /// The values of this number of rows usually fit into a core's cache.
  package var rowLimit: Int { 64 }

  package var lookUpLimit: Int { 1 }

  package var hasUserTriggers: Bool { false }

  package func start(_ changes: Changeset) throws -> Bool { false }

  package func complete() throws {}

  package var postponingMinimum: Int { .max }

  package func postponingIndexes(of schemas: [ObjectSchema], _ body: () throws -> Void) throws
    -> Bool
  {
    false
  }

  package func versions(
    ofRows rowIDs: [Int64], of schema: ObjectSchema
  ) throws -> [Int64: Int] {
    guard let version = schema.version else { return [:] }
    return try storedValues(of: version, inRows: rowIDs, of: schema)
      .compactMapValues { $0.load(Int.self) }
  }

  /// Returns the stored values of a column, by the row IDs of the rows that exist.
  package func storedValues(
    of column: Int, inRows rowIDs: [Int64], of schema: ObjectSchema
  ) throws -> [Int64: PropertyReference] {
    guard !rowIDs.isEmpty else { return [:] }
    var values: [Int64: PropertyReference] = [:]
    let plan = FetchPlan.rows(RowIDSet(rowIDs))
    for chunk in try reader.fetch(plan, of: schema, graph: nil, isWanted: nil).chunks {
      for index in 0..<chunk.rowCount {
        let row = chunk.row(index)
        values[row.zIndex] = row.property(column)
      }
    }
    return values
  }

  package func storedMembers(
    ofEach owners: [Int64], in collection: Int, of schema: ObjectSchema
  ) throws -> [LinkSlice] {
    try owners.map { try storedMembers(of: $0, in: collection, of: schema) }
  }

  package func rowIDs(
    with columns: [Int], at field: Int, count: Int, in values: FieldBuffer,
    _ schema: ObjectSchema
  ) throws -> [Int64?] {
    try (0..<count).map {
      try rowID(with: columns, at: field + $0 * columns.count, in: values, schema)
    }
  }
}
