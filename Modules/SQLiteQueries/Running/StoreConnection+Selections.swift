package import MagicEngine
import MagicSQLite
package import SQLiteEngine

extension StoreConnection {
  /// The rows that a selection finds.
  package func rows<Row>(_ query: PreparedQuery, _ reader: RowReader<Row>) throws -> [Row] {
    guard try hasTable(of: query.schema) else { return [] }
    return try run(query) { statement in
      var rows: [Row] = []
      try each(statement) {
        digest?.add($0, 0..<reader.width)
        rows.append(try reader.read($0, 0))
      }
      return rows
    }
  }

  /// What an aggregate comes to; nil for a type without a table.
  package func value<Value>(_ query: PreparedQuery, _ decoder: ValueDecoder<Value>) throws -> Value?
  {
    guard try hasTable(of: query.schema) else { return nil }
    return try run(query) { try $0.step() ? try decoder.value($0.column(0)) : nil }
  }
}
