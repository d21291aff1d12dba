import CPostgreSQL

/// The result of a statement: its rows in memory, and the number of rows that it changed. Or some rows of
/// the result of a statement that ran for several values.
package final class PostgreSQLResult {
  let pointer: OpaquePointer
  /// The index of the first row in the memory of libpq.
  let first: Int
  /// The number of rows.
  package let count: Int
  /// The result that has the memory; nil if this one has it.
  private let whole: PostgreSQLResult?

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    first = 0
    count = Int(magic_PQntuples(pointer))
    whole = nil
  }

  /// Some rows of a result, which stays in memory. ``affectedCount`` is that of the whole result.
  init(_ rows: Range<Int>, of whole: PostgreSQLResult) {
    pointer = whole.pointer
    first = whole.first + rows.lowerBound
    count = rows.count
    self.whole = whole
  }

  deinit { if whole == nil { magic_PQclear(pointer) } }

  package var columnCount: Int { Int(magic_PQnfields(pointer)) }

  /// The first words of the statement, for example "COMMIT". That of a failed transaction is "ROLLBACK".
  var command: String {
    magic_PQcmdStatus(pointer).map { String(cString: $0) } ?? ""
  }

  /// The number of rows that the statement inserted, updated, deleted or returned.
  package var affectedCount: Int {
    magic_PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  package func columnName(_ column: Int) -> String {
    magic_PQfname(pointer, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
  }

  package func type(_ column: Int) -> PostgreSQLType {
    PostgreSQLType(oid: magic_PQftype(pointer, Int32(truncatingIfNeeded: column)))
  }

  /// Returns a value as an integer of one to eight bytes; 0 for NULL.
  package func integer(_ row: Int, _ column: Int) -> Int64 {
    withExtendedLifetime(self) { value(row, column).integer }
  }

  /// Returns a value as a real number; 0 for NULL.
  package func real(_ row: Int, _ column: Int) -> Double {
    withExtendedLifetime(self) { value(row, column).real }
  }

  /// Returns a value as a text; "" for NULL.
  package func text(_ row: Int, _ column: Int) -> String {
    withExtendedLifetime(self) { value(row, column).text }
  }

  package func isNull(_ row: Int, _ column: Int) -> Bool {
    withExtendedLifetime(self) { value(row, column).isNull }
  }

  /// Returns a value. It is valid while the result exists, which the caller ensures: Swift may release a
  /// result after its last use, and the value does not retain it.
  package func value(_ row: Int, _ column: Int) -> PostgreSQLValue {
    PostgreSQLValue(
      pointer, Int32(truncatingIfNeeded: first + row), Int32(truncatingIfNeeded: column))
  }
}
