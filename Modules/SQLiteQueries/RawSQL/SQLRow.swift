import Magical
import MagicSQLite
import MagicSchema
import SQLiteEngine

/// The row that a statement is at, read from its first column to its last.
struct SQLRow {
  let statement: SQLiteStatement
  /// Counted from 1.
  private(set) var number = 0
  private var column = 0

  init(_ statement: SQLiteStatement) { self.statement = statement }

  /// The statement has stepped.
  mutating func advance() {
    number += 1
    column = 0
  }

  /// Reads the next column.
  mutating func next<Value: MagicalColumn>(_ type: Value.Type) throws -> Value {
    defer { column += 1 }
    return try read(type, at: column)
  }

  /// Reads a column, counted from 0.
  func read<Value: MagicalColumn>(_ type: Value.Type, at column: Int) throws -> Value {
    do {
      return try Value._column(from: ColumnReader(column: statement.column(column)))
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
      .cannotDecode, "Column \(statement.columnName(column)) of row \(number): \(reason).",
      cause: cause)
  }
}
