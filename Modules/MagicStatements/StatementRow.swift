import MagicEngine
import MagicSchema
import Magical

/// One row of a raw statement, whose columns are decoded from first to last.
struct StatementRow {
  private let batch: StatementRows
  private let index: Int
  private var column = 0

  /// - Parameter index: the index of the row in the batch, from 0.
  init(_ batch: StatementRows, _ index: Int) {
    self.batch = batch
    self.index = index
  }

  /// Decodes the next column.
  mutating func next<Value: MagicalColumn>(_ type: Value.Type) throws -> Value {
    defer { column += 1 }
    return try read(type, at: column)
  }

  /// Decodes the column at an index, from 0.
  func read<Value: MagicalColumn>(_ type: Value.Type, at column: Int) throws -> Value {
    do {
      return try Value._column(from: batch.rows.field(index, column))
    } catch let error as MagicalError {
      let isNull = batch.rows.field(index, column).isNull
      throw failure("\(error)" + (isNull ? ", and \(type) is not optional" : ""), column, error)
    } catch {
      // The error of a custom type may contain the value, so only the error's type is reported.
      let reason = "\(Swift.type(of: error))"
      throw failure(reason, column, .cannotDecode(reason))
    }
  }

  /// The number of the row, from 1.
  var number: Int { batch.firstRow + index }

  func isNull(at column: Int) -> Bool { batch.rows.field(index, column).isNull }

  func failure(_ reason: String, _ column: Int, _ cause: MagicalError) -> MagicError {
    MagicError(
      .cannotDecode,
      "Column \(batch.columnName(column)) of row \(batch.firstRow + index): \(reason).",
      cause: cause)
  }
}
