public import Magical

/// Computes a 128-bit digest of all values that are read, with a seed that differs between
/// processes. Results with equal digests are treated as equal.
@usableFromInline
package final class ResultDigest {
  private var first = Hasher()
  private var second = Hasher()

  package init() { second.combine(0x6D61_6769_63) }

  /// Adds the start of another statement.
  ///
  /// - Parameter text: identifies the statement.
  package func add(statement text: String) {
    var text = text
    text.withUTF8 { add(7, UnsafeRawBufferPointer($0)) }
  }

  /// Adds an integer column.
  @inlinable package func add(integer: Int64) { add(1, integer: integer) }

  /// Adds a real column.
  @inlinable package func add(real: Double) { add(2, integer: Int64(bitPattern: real.bitPattern)) }

  /// Adds a text column.
  @inlinable package func add(text: UnsafeRawBufferPointer) { add(3, text) }

  /// Adds a blob column.
  @inlinable package func add(blob: UnsafeRawBufferPointer) { add(4, blob) }

  /// Adds a NULL column.
  @inlinable package func addNull() { add(5, integer: 0) }

  /// Adds a number, for example the number of rows that were skipped.
  package func add(_ number: Int) { add(6, integer: Int64(number)) }

  @usableFromInline func add(_ kind: UInt8, integer: Int64) {
    first.combine(kind)
    first.combine(integer)
    second.combine(kind)
    second.combine(integer)
  }

  @usableFromInline func add(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) {
    add(kind, integer: Int64(bytes.count))
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
  }

  /// The digest of the values that were added so far.
  package var value: Value {
    let (first, second) = (first, second)
    return Value(first: first.finalize(), second: second.finalize())
  }

  /// Adds a row of a type.
  @inlinable
  package func add<Row: PackableRow>(_ row: Row, rowID: Int64, columnCount: Int) {
    add(integer: rowID)
    for index in 0..<columnCount { add(row.value(index)) }
  }

  /// Adds a column.
  @inlinable
  package func add<Column: PackableColumn>(_ column: Column) {
    switch column.kind {
    case .integer: add(integer: column.integer)
    case .real: add(real: column.real)
    case .text: add(text: column.textBytes)
    case .blob: add(blob: column.blobBytes)
    case .null: addNull()
    }
  }

  /// The digest of a result.
  package struct Value: Equatable, Sendable {
    let first: Int
    let second: Int
  }
}
