package import MagicSchema

/// One write transaction of an engine, used by one thread at a time.
///
/// One call runs many rows. Errors are `MagicError`s that name the type; what was run of a changeset is
/// then rolled back by the caller.
package protocol EngineTransaction: EngineStatementWriter {
  /// What reads in the transaction.
  var reader: any EngineReader { get }

  /// An empty changeset, whose memory the transaction's saves use.
  var changeset: Changeset { get }

  /// What takes part in the outcome; nil where nothing does. The engine calls it once, before observers
  /// are notified of the commit, and sets it to nil then.
  var participant: (any TransactionParticipant)? { get set }

  /// Runs a part of the transaction of which nothing stays where it throws.
  ///
  /// - Parameter isOneRow: whether it changes one row, so that an engine whose statements are all or
  ///   nothing by themselves needs no savepoint.
  func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result

  /// - Throws: `MagicError` with `.rolledBack` or its cause, where an error such as that of a full disk
  ///   has ended the transaction.
  func requireOpen() throws

  /// The store that the transaction writes to.
  var token: StoreToken { get }

  /// Whether the type's table is as the type declares it.
  func hasCurrentTable(of schema: ObjectSchema) throws -> Bool

  /// Creates or migrates the type's table, and those that it refers to.
  func updateTable(of schema: ObjectSchema) throws

  /// Whether a row's ID may be reserved only when all rows before it are run: code of the database,
  /// such as a trigger, may insert rows as well.
  var reservesOneByOne: Bool { get throws }

  /// A row ID that no row of the table has or had.
  ///
  /// - Parameter isAhead: whether other rows are inserted before the one that gets it.
  /// - Throws: `MagicError` with `.idsExhausted`.
  func reserveRowID(of schema: ObjectSchema, isAhead: Bool) throws -> Int64

  /// The next number of a primary that the database assigns.
  func nextPrimary(of schema: ObjectSchema, column: ColumnSchema) throws -> Int

  /// The row that has a primary.
  ///
  /// - Parameter field: the primary, in `values`.
  func rowID(ofPrimary field: Int, in values: FieldBuffer, _ schema: ObjectSchema) throws -> Int64?

  /// Whether a row is in the database.
  func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool

  /// Runs the rows in order, and enters an outcome for each that is not as was assumed, in the order of
  /// the rows: `.otherRow` for an upsert whose primary another row has, and for an insert where
  /// ``reservesOneByOne`` is true; `.missing` for an update or a requirement of a row that is not there.
  /// To delete a row that is not there has no effect.
  ///
  /// - Throws: `MagicError`, such as `.notUnique` or `.constraint`.
  func apply(_ changes: Changeset) throws

  /// Writes the join rows of collections.
  func apply(_ changes: [MemberChange]) throws

  /// The members that the database has of an owner's collection.
  func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice

  /// Whether a row refers to one that is not there. The commit would fail.
  var hasBrokenReferences: Bool { get }

  /// Removes all join rows between an owner's collection and some members.
  func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws

  /// Removes all rows of a type, with what is deleted with them.
  ///
  /// - Returns: how many there were.
  func removeAll(_ schema: ObjectSchema) throws -> Int

  /// Removes the rows that a query finds, with what is deleted with them.
  ///
  /// - Returns: how many there were.
  func delete(_ query: PreparedQuery) throws -> Int

  /// Sets columns of the rows that a query finds to values, all computed from the rows as they were.
  ///
  /// - Returns: how many rows there were.
  func update(_ query: PreparedQuery) throws -> Int

  /// What keeps the database open for a lazy value; nil where it is closed.
  func makeLease() -> StoreLease?
}
