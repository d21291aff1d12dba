import MagicEngine
import MagicSQLite
import SQLiteEngine

extension StoreConnection {
  /// The maximum size of a batch: a number of rows, or a number of bytes. The first limit that
  /// is reached ends the batch.
  private static var batchRows: Int { 128 }
  private static var batchBytes: Int { 64 * 1024 }

  /// Copies the rows of a statement and calls a closure with batches of them. There is at least one
  /// batch, which may be empty.
  ///
  /// If a step fails, the closure is called with the rows before it, and then the error is thrown.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows that are read.
  ///   - use: called with each batch and the number of its first row, from 1.
  /// - Returns: whether the statement has reached its end. Another step would restart it.
  func readBatches(
    of statement: SQLiteStatement, limit: Int = .max,
    _ use: (_ rows: FieldRows, _ firstRow: Int) throws -> Void
  ) throws -> Bool {
    let values = takeValues()
    defer { keep(values) }
    var cancellation = CancellationCheck()
    var firstRow = 1
    var isAtEnd = false
    repeat {
      var count = 0
      var width = 0
      var failure: SQLiteError?
      while count < Self.batchRows, count <= limit - firstRow,
        values.byteCount + values.count * MemoryLayout<Field>.stride < Self.batchBytes
      {
        do throws(SQLiteError) {
          isAtEnd = try !statement.step()
        } catch {
          failure = error
          break
        }
        // SQLite may have compiled the statement again in the first step, so its columns may have
        // changed.
        if count == 0 { width = statement.columnCount }
        if isAtEnd { break }
        try cancellation.count()
        digest?.add(statement, 0..<width)
        values.append(statement, width: width)
        count += 1
      }
      if count > 0 || (firstRow == 1 && failure == nil) {
        try use(FieldRows(values, width: width, count: count), firstRow)
      }
      if let failure { throw failure }
      firstRow += count
      values.removeAll()
    } while !isAtEnd && firstRow <= limit
    return isAtEnd
  }
}
