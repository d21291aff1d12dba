import MagicEngine
import MagicSchema
import Magical

/// One row of a raw statement, read from its first column to its last.
struct StatementRow {
  private let batch: StatementRows
  private let index: Int
  private var column = 0

  /// - Parameter index: the row's place in the batch, from 0.
  init(_ batch: StatementRows, _ index: Int) {
    self.batch = batch
    self.index = index
  }

  /// Reads the next column.
  mutating func next<Value: MagicalColumn>(_ type: Value.Type) throws -> Value {
    defer { column += 1 }
    return try read(type, at: column)
  }

  /// Reads a column, counted from 0.
  func read<Value: MagicalColumn>(_ type: Value.Type, at column: Int) throws -> Value {
    do {
      return try Value._column(from: batch.rows.field(index, column))
    } catch let error as MagicalError {
      throw failure("\(error)", column, error)
    } catch {
      // Who made the error may have put the value into it.
      let reason = "\(Swift.type(of: error))"
      throw failure(reason, column, .cannotDecode(reason))
    }
  }

  private func failure(_ reason: String, _ column: Int, _ cause: MagicalError) -> MagicError {
    MagicError(
      .cannotDecode,
      "Column \(batch.columnName(column)) of row \(batch.firstRow + index): \(reason).",
      cause: cause)
  }
}
