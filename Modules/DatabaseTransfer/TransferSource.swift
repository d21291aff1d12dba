package import MagicFiles

/// A database whose content is read. All calls see one committed state.
package protocol TransferSource: AnyObject {
  /// Describes the tables of the types.
  func tables() throws -> [TransferredTable]

  /// Calls a body with each row.
  func forEachRow(
    of rows: TransferredRows, _ body: ([TransferredValue]) throws -> Void
  ) throws

  func count(_ rows: TransferredRows) throws -> Int

  /// The names of the assets that rows refer to.
  func assets() throws -> [AssetName]

  /// Opens an asset for reading.
  func open(_ asset: AssetName) throws -> any ReadableFile

  /// Why the content of an asset could not be read; nil if this is not known better than from the
  /// error that was thrown.
  var failure: (any Error)? { get }

  /// Ends the read. Later calls throw.
  func close()
}

extension TransferSource {
  package var failure: (any Error)? { nil }
}

/// A new database. It does not exist before ``commit()``.
package protocol TransferTarget: TransferSource {
  /// Creates the tables without indexes and references, so that rows are inserted faster.
  func create(_ tables: [TransferredTable]) throws

  /// Stores an asset, before the rows that refer to it.
  func store(_ asset: AssetName, _ content: any ReadableFile) throws

  /// Inserts a row.
  func insert(_ values: [TransferredValue], into rows: TransferredRows) throws

  /// Ends the insertion of the rows of one table.
  func finish(_ rows: TransferredRows) throws

  /// Creates the indexes and the references between the tables, and sets the counters of row IDs.
  func complete(_ tables: [TransferredTable]) throws

  /// Whether the rows can be read again, to compare them with the source.
  var isReadable: Bool { get }

  /// Whether the copy of a table has all that its type declares.
  func isComplete(_ table: TransferredTable) -> Bool

  func commit() throws

  /// Removes what was written. Called after an error.
  func discard()
}

extension TransferTarget {
  package var isReadable: Bool { true }
}
