import MagicEngine
import MagicSchema
import Magical

/// A decoder for the rows of a selection.
package struct RowReader<Row>: Sendable {
  /// The objects of each column whose values are row IDs; nil for other columns.
  package let objects: [ObjectColumn?]
  /// Decodes the row at an index, beginning at a column.
  package let read: @Sendable (SelectedRows, _ row: Int, _ column: Int) throws -> Row
  /// Decodes a row into uninitialized memory, which is faster for a tuple.
  let initialize:
    @Sendable (UnsafeMutableRawPointer, SelectedRows, _ row: Int, _ column: Int) throws -> Void

  init(
    objects: [ObjectColumn?], read: @escaping @Sendable (SelectedRows, Int, Int) throws -> Row
  ) {
    self.objects = objects
    self.read = read
    initialize = { memory, rows, row, column in
      let value = try read(rows, row, column)
      memory.initializeMemory(as: Row.self, to: value)
    }
  }

  /// Creates a reader of tuples with these elements.
  ///
  /// The elements are written into the memory of the tuple. A loop over their types would look up
  /// metadata for each row, which takes longer than the decoding.
  private init(tupleOf columns: [TupleColumn], _ objects: [ObjectColumn?]) {
    // In an array of its own, so that no other parts of the columns are retained for each row.
    let elements = columns.map { TupleElement(offset: $0.offset, initialize: $0.initialize) }
    let initialize:
      @Sendable (UnsafeMutableRawPointer, SelectedRows, _ row: Int, _ column: Int) throws -> Void =
        {
          row, rows, index, start in
          var count = 0
          do {
            while count < elements.count {
              let element = elements[count]
              try element.initialize(row + element.offset, rows, index, start + count)
              count += 1
            }
          } catch {
            for column in columns[..<count] { column.deinitialize(row + column.offset) }
            throw (error as? MagicalError).map(columns[count].property.decodingError) ?? error
          }
        }
    self.objects = objects
    self.initialize = initialize
    read = { rows, index, start in
      try withUnsafeTemporaryAllocation(of: Row.self, capacity: 1) { memory in
        let row = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
        try initialize(row, rows, index, start)
        return memory.moveElement(from: 0)
      }
    }
  }
}

extension RowReader {
  /// Returns a reader of the values of one expression.
  package static func single(
    _ type: Row.Type, of expression: QueryExpression, _ model: any MagicObject.Type
  ) throws -> RowReader<Row> {
    let property = SelectedProperty(expression, number: nil, of: model)
    let decoder = try property.decoder(type)
    return RowReader(objects: [decoder.objects], read: property.decoding(decoder))
  }

  /// Returns a reader of tuples, with one value of each expression.
  package static func tuples<each Value>(
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
    var columns: [TupleColumn] = []
    var objects: [ObjectColumn?] = []
    func add<Column>(_ type: Column.Type) throws {
      let number = expressions.count > 1 ? columns.count + 1 : nil
      let property = SelectedProperty(remaining.removeFirst(), number: number, of: model)
      let decoder = try property.decoder(type)
      columns.append(TupleColumn(decoder, of: property, after: columns.last))
      objects.append(decoder.objects)
    }
    repeat try add(each types)
    guard columns.last?.end == MemoryLayout<Row>.size else { throw MagicError.malformedQuery }
    return RowReader(tupleOf: columns, objects)
  }

  /// Returns a reader of two parts of a row. The columns of the second part follow those of the
  /// first.
  static func pair<First, Second>(
    _ first: RowReader<First>, _ second: RowReader<Second>,
    _ row: @escaping @Sendable (First, Second) -> Row
  ) -> RowReader<Row> {
    let width = first.objects.count
    return RowReader(objects: first.objects + second.objects) {
      row(try first.read($0, $1, $2), try second.read($0, $1, $2 + width))
    }
  }
}
