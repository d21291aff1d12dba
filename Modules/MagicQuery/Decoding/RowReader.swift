import MagicEngine
import MagicSchema

/// A decoder for the rows of a selection.
struct RowReader<Row>: Sendable {
  let width: Int
  /// Decodes the row at an index, beginning at a column.
  let read: @Sendable (FieldRows, _ row: Int, _ column: Int) throws -> Row
}

extension RowReader {
  /// Returns a reader of the values of one expression.
  static func single(
    _ type: Row.Type, of expression: QueryExpression, _ model: any MagicObject.Type
  ) throws -> RowReader<Row> {
    let decoder = try ValueDecoder(type, of: expression, model)
    return RowReader(width: 1) { try decoder.value($0.field($1, $2)) }
  }

  /// Returns a reader of tuples, with one value of each expression.
  static func tuples<each Value>(
    _ types: repeat (each Value).Type, of expressions: [QueryExpression],
    _ model: any MagicObject.Type
  ) throws -> RowReader<Row> where Row == (repeat each Value) {
    guard !expressions.isEmpty else {
      throw MagicError(
        .invalidQuery,
        "A closure of the query returns no expression. Return an expression or a tuple of "
          + "expressions without labels, and join texts with + and not by interpolation.")
    }
    var remaining = expressions[...]
    func decoder<Column>(_ type: Column.Type) throws -> ValueDecoder<Column> {
      try ValueDecoder(type, of: remaining.removeFirst(), model)
    }
    let decoders = (repeat try decoder(each types))
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

  /// Returns a reader of two parts of a row. The columns of the second part follow those of the
  /// first.
  static func pair<First, Second>(
    _ first: RowReader<First>, _ second: RowReader<Second>,
    _ row: @escaping @Sendable (First, Second) -> Row
  ) -> RowReader<Row> {
    RowReader(width: first.width + second.width) {
      row(try first.read($0, $1, $2), try second.read($0, $1, $2 + first.width))
    }
  }
}
