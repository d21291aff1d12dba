import DatabaseTransfer

/// How tables and rows are written for other programs.
protocol TextFormat: AnyObject {
  /// Writes what precedes the rows.
  func create(_ tables: [TransferredTable]) throws

  func insert(_ values: [TransferredValue], into rows: TransferredRows) throws

  /// Ends the rows of one table or collection, of which there may be none.
  func finish(_ rows: TransferredRows) throws

  /// Writes what follows the rows.
  func complete(_ tables: [TransferredTable]) throws

  /// Closes the files after an error.
  func close()
}
