package import Magical
package import MagicSchema

/// A value of a query.
package enum QueryValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// An object. The query uses the row ID that it has when the query runs.
  indirect case object(any MagicObject)
  /// The elements of a list. The query tests whether a value equals one of them.
  case list([QueryValue])

  /// - Throws: `MagicalError` if the value cannot be stored.
  package init(_ value: some Magical) throws {
    if let object = value as? any MagicObject {
      self = .object(object)
    } else {
      var writer = QueryValueWriter()
      try value.write(to: &writer)
      self = writer.value
    }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }
}

private struct QueryValueWriter: MagicalWriter {
  private(set) var value = QueryValue.null

  mutating func write(integer: Int64) { value = .integer(integer) }
  mutating func write(real: Double) { value = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) {
    value = .text(String(decoding: text, as: UTF8.self))
  }
  mutating func write(blob: UnsafeRawBufferPointer) { value = .blob(Array(blob)) }
}
