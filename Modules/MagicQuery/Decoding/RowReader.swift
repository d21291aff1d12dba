import MagicEngine

/// Reads the rows of a selection.
struct RowReader<Row>: Sendable {
  let width: Int
  /// Reads a row by its number, from a column on.
  let read: @Sendable (FieldRows, _ row: Int, _ column: Int) throws -> Row
}

extension RowReader {
  /// Reads one value.
  static func single(_ type: Row.Type) throws -> RowReader<Row> {
    let decoder = try ValueDecoder(type)
    return RowReader(width: 1) { try decoder.value($0.field($1, $2)) }
  }

  /// Reads tuples of values, one from each column.
  static func tuples<each Value>(
    of types: repeat (each Value).Type
  ) throws -> RowReader<Row> where Row == (repeat each Value) {
    let decoders = (repeat try ValueDecoder(each types))
    var width = 0
    repeat width += ValueDecoder<each Value>.width
    return RowReader(width: width) { rows, index, start in
      var column = start
      func next<Column>(_ decoder: ValueDecoder<Column>) throws -> Column {
        defer { column += 1 }
        return try decoder.value(rows.field(index, column))
      }
      return (repeat try next(each decoders))
    }
  }

  /// Reads two parts of a row, the second behind the first.
  static func pair<First, Second>(
    _ first: RowReader<First>, _ second: RowReader<Second>,
    _ row: @escaping @Sendable (First, Second) -> Row
  ) -> RowReader<Row> {
    RowReader(width: first.width + second.width) {
      row(try first.read($0, $1, $2), try second.read($0, $1, $2 + first.width))
    }
  }
}
