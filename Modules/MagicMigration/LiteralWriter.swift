import MagicSchema
import Magical

/// A writer that turns a value into an SQL literal.
struct LiteralWriter: MagicalWriter {
  /// The literal; nil if nothing was written, and for text with a NUL character, which has no
  /// literal.
  private(set) var literal: String?
  /// The expression for a text that has no literal.
  private(set) var castText: String?
  /// The value, if it is a floating-point number.
  private(set) var real: Double?

  mutating func write(integer: Int64) { literal = String(integer) }

  mutating func write(real: Double) {
    self.real = real
    literal =
      real.isInfinite
      ? (real > 0 ? "9e999" : "-9e999") : String(describing: real)
  }

  mutating func write(text: UnsafeRawBufferPointer) {
    guard !text.contains(0) else {
      castText = "CAST(\(Self.literal(of: text)) AS TEXT)"
      return
    }
    literal = String(decoding: text, as: UTF8.self).literal
  }

  mutating func write(blob: UnsafeRawBufferPointer) { literal = Self.literal(of: blob) }

  private static func literal(of blob: UnsafeRawBufferPointer) -> String {
    let digits = Array("0123456789ABCDEF")
    return "X'" + blob.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + "'"
  }

  /// Returns an expression for exactly the value.
  func expression(_ rows: any RowQueries) throws -> String? {
    try isExact(rows) ? literal ?? castText : exactExpression
  }

  /// Returns whether SQLite reads the literal as exactly the value. SQLite may read a
  /// floating-point literal as an adjacent number.
  private func isExact(_ rows: any RowQueries) throws -> Bool {
    guard let literal, let real else { return true }
    // A negative zero keeps its sign only as an expression, not as the default of a column.
    if real == 0 { return real.sign == .plus }
    return try rows.reads(literal, as: real)
  }

  /// Positive zero has a literal.
  private var exactExpression: String? {
    guard let real, real.isFinite, real != 0 || real.sign == .minus else { return nil }
    return real.exactSQL
  }
}
