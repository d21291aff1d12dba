/// A row that the server has sent. It is valid while its memory exists, which the caller ensures.
@usableFromInline
package protocol PostgreSQLRow {
  /// Returns a value by the index of its column.
  func value(_ column: Int) -> PostgreSQLValue
}

/// A row of a result.
package struct ResultRow: PostgreSQLRow {
  private let result: OpaquePointer
  private let row: Int32

  /// - Parameter result: the result, which does not end before the row.
  package init(_ result: PostgreSQLResult, _ row: Int) {
    self.result = result.pointer
    self.row = Int32(truncatingIfNeeded: result.first + row)
  }

  package func value(_ column: Int) -> PostgreSQLValue {
    PostgreSQLValue(result, row, Int32(truncatingIfNeeded: column))
  }
}

/// A row of a binary COPY. It is valid during the call that receives it.
@frozen
@usableFromInline
package struct CopiedRow: PostgreSQLRow {
  /// The offset of a value in the bytes of the row, and its length, which is negative for NULL.
  @usableFromInline typealias Place = (offset: Int32, length: Int32)

  @usableFromInline let bytes: UnsafeRawPointer
  @usableFromInline let places: UnsafePointer<Place>

  @usableFromInline
  init(_ bytes: UnsafeRawPointer, _ places: UnsafePointer<Place>) {
    self.bytes = bytes
    self.places = places
  }

  @inlinable
  package func value(_ column: Int) -> PostgreSQLValue {
    let place = places[column]
    guard place.length >= 0 else { return PostgreSQLValue(bytes: nil) }
    return PostgreSQLValue(
      bytes: UnsafeRawBufferPointer(
        start: bytes + Int(place.offset), count: Int(place.length)))
  }
}

/// Reads the messages of a binary COPY, each of which is a row. The first one also has a header.
final class CopyReader {
  private let columnCount: Int
  private let places: UnsafeMutableBufferPointer<CopiedRow.Place>
  private var hasHeader = false

  /// The length of the signature.
  private static var signatureLength: Int { 11 }

  init(columnCount: Int) {
    self.columnCount = columnCount
    places = .allocate(capacity: max(1, columnCount))
  }

  deinit { places.deallocate() }

  /// Returns the row of a message; nil for a message without a row, which is the last one.
  ///
  /// - Throws: ``PostgreSQLError`` if the row has other columns, or is not complete.
  func row(in message: UnsafeRawBufferPointer) throws(PostgreSQLError) -> CopiedRow? {
    guard let start = message.baseAddress else { throw Self.malformed() }
    var end = 0
    if !hasHeader {
      // The signature, the flags, and the length of an extension.
      end = Self.signatureLength + 8
      guard message.count >= end else { throw Self.malformed() }
      let length = Self.integer(at: end - 4, of: start)
      guard length >= 0, Int(length) <= message.count - end else { throw Self.malformed() }
      end += Int(length)
      hasHeader = true
      if end == message.count { return nil }
    }
    guard message.count - end >= 2 else { throw Self.malformed() }
    let count = Int16(bigEndian: (start + end).loadUnaligned(as: Int16.self))
    guard count >= 0 else { return nil }
    guard Int(count) == columnCount else { throw Self.malformed() }
    end += 2
    for index in 0..<columnCount {
      guard message.count - end >= 4 else { throw Self.malformed() }
      let length = Self.integer(at: end, of: start)
      end += 4
      guard Int(length) <= message.count - end else { throw Self.malformed() }
      places[index] = (Int32(truncatingIfNeeded: end), length)
      end += max(0, Int(length))
    }
    guard let base = places.baseAddress else { throw Self.malformed() }
    return CopiedRow(start, base)
  }

  private static func integer(at offset: Int, of start: UnsafeRawPointer) -> Int32 {
    Int32(bigEndian: (start + offset).loadUnaligned(as: Int32.self))
  }

  private static func malformed() -> PostgreSQLError {
    PostgreSQLError(.refused, "The server has sent a row that does not have the selected columns.")
  }
}
