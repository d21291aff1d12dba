public import Magical

/// Digests what is read, byte for byte, to a number of 128 bits with this process's own seed: two
/// results that have one number are equal.
@usableFromInline
package final class ResultDigest {
  private var first = Hasher()
  private var second = Hasher()

  package init() { second.combine(0x6D61_6769_63) }

  /// Adds that another statement is run.
  ///
  /// - Parameter text: names the statement.
  package func add(statement text: String) {
    var text = text
    text.withUTF8 { add(7, UnsafeRawBufferPointer($0)) }
  }

  /// Adds the integer of a column.
  @inlinable package func add(integer: Int64) { add(1, integer: integer) }

  /// Adds the real of a column.
  @inlinable package func add(real: Double) { add(2, integer: Int64(bitPattern: real.bitPattern)) }

  /// Adds the text of a column.
  @inlinable package func add(text: UnsafeRawBufferPointer) { add(3, text) }

  /// Adds the blob of a column.
  @inlinable package func add(blob: UnsafeRawBufferPointer) { add(4, blob) }

  /// Adds that a column is NULL.
  @inlinable package func addNull() { add(5, integer: 0) }

  /// Adds a number, such as that of rows which were left out.
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

  /// What was added so far.
  package var value: Value {
    let (first, second) = (first, second)
    return Value(first: first.finalize(), second: second.finalize())
  }

  /// Adds a row of a type.
  @inlinable
  package func add<Row: PackableRow>(_ row: Row, columnCount: Int) {
    add(integer: row.rowID)
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

  /// Names a result.
  package struct Value: Equatable, Sendable {
    let first: Int
    let second: Int
  }
}
