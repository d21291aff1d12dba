import MagicSQLite
import SQLiteEngine

/// Reads the rows of a selection.
package struct RowReader<Row>: Sendable {
  let width: Int
  /// Reads a row, from a column on.
  let read: @Sendable (SQLiteStatement, Int) throws -> Row
}

extension RowReader {
  /// Reads one value.
  package static func single(_ type: Row.Type) throws -> RowReader<Row> {
    let decoder = try ValueDecoder(type)
    return RowReader(width: 1) { try decoder.value($0.column($1)) }
  }

  /// Reads tuples of values, one from each column.
  package static func tuples<each Value>(
    of types: repeat (each Value).Type
  ) throws -> RowReader<Row> where Row == (repeat each Value) {
    let decoders = (repeat try ValueDecoder(each types))
    var width = 0
    repeat width += ValueDecoder<each Value>.width
    return RowReader(width: width) { statement, start in
      var column = start
      func next<Column>(_ decoder: ValueDecoder<Column>) throws -> Column {
        defer { column += 1 }
        return try decoder.value(statement.column(column))
      }
      return (repeat try next(each decoders))
    }
  }

  /// Reads two parts of a row, the second behind the first.
  package static func pair<First, Second>(
    _ first: RowReader<First>, _ second: RowReader<Second>,
    _ row: @escaping @Sendable (First, Second) -> Row
  ) -> RowReader<Row> {
    RowReader(width: first.width + second.width) {
      row(try first.read($0, $1), try second.read($0, $1 + first.width))
    }
  }
}
