import MagicEngine
import MagicSQLite
import SQLiteEngine

extension StoreConnection {
  /// So many rows are a batch, or fewer where these need as much memory.
  private static var batchRows: Int { 128 }
  private static var batchBytes: Int { 64 * 1024 }

  /// Copies the rows of a statement, and hands them out in batches: one at least, which may be empty.
  ///
  /// Where a step fails, the rows before it are handed out first.
  ///
  /// - Parameters:
  ///   - limit: the most rows that are read.
  ///   - use: is called with each batch, and with the number of its first row, from 1.
  /// - Returns: whether the statement is at its end. Another step would begin it again.
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
        // It may have been compiled again for the first step.
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
