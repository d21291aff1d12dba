import MagicEngine
import MagicSchema
import Magical

extension MemoryReader {
  /// The rows that an update finds, ascending, with the new values in the assigned columns. All
  /// values are computed from the rows before the update.
  func assignedRows(of query: PreparedQuery, _ columns: [Int]) throws -> [StoredRow] {
    let compiled = try compile(query)
    return try compiled.rows().sorted { $0.rowID < $1.rowID }.map { row in
      var values = try compiled.select(row)
      for place in values.indices where query.plan.selection[place].tree.isComputed {
        values[place] = try query.schema.columns[columns[place]].checked(values[place])
      }
      return StoredRow(rowID: row.rowID, values: values)
    }
  }
}

extension ColumnSchema {
  /// Converts a computed number to the column's type.
  ///
  /// - Throws: `MagicError` with `.cannotEncode` if the number is out of the range of that type.
  fileprivate func checked(_ value: StoredValue) throws -> StoredValue {
    switch (storageClass, value) {
    case (_, .null): return value
    case (.integer, .integer(let integer)) where codec.range.contains(integer): return value
    case (.integer, _): throw MagicError.outOfRange
    case (.real, _) where codec == .float:
      let float = Float(value.real)
      guard float.isFinite || value.real.isInfinite else { throw MagicError.outOfRange }
      return .real(Double(float))
    default: return value
    }
  }
}

extension ColumnCodec {
  /// The range of integers that the type can represent.
  fileprivate var range: ClosedRange<Int64> {
    switch self {
    case .bool: 0...1
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    case .uint, .uint64: 0...Int64.max
    default: .min ... .max
    }
  }
}
