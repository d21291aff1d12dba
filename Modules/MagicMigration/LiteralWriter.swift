import MagicSchema
import Magical

/// Writes a value as an SQL literal.
struct LiteralWriter: MagicalWriter {
  /// Nil where nothing was written, and for a text with a NUL character, which has none.
  private(set) var literal: String?
  /// The text, where it has no literal, as an expression.
  private(set) var castText: String?
  /// The value, where it is a real number.
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

  /// An expression that is the value to the last bit.
  func expression(_ rows: any RowQueries) throws -> String? {
    try isExact(rows) ? literal ?? castText : exactExpression
  }

  /// Whether SQLite reads the literal as the value: it may read a real number as its neighbour.
  private func isExact(_ rows: any RowQueries) throws -> Bool {
    guard let literal, let real else { return true }
    // A zero has a sign as an expression, and loses it as the default of a column.
    if real == 0 { return real.sign == .plus }
    return try rows.reads(literal, as: real)
  }

  /// A real number as an integer that is multiplied or divided by powers of two, which is exact.
  private var exactExpression: String? {
    guard let real, real.isFinite else { return nil }
    if real == 0 { return real.sign == .minus ? "(0.0 * -1.0)" : nil }
    // 53 bits of the significand, and what the exponent is without them.
    var mantissa = Int64(real.significandBitPattern)
    var exponent = Int(real.exponentBitPattern) - 1075
    if real.isNormal { mantissa |= 1 << 52 } else { exponent += 1 }
    var text = "\(real.sign == .minus ? "-" : "")\(mantissa).0"
    while exponent != 0 {
      let step = min(abs(exponent), 30)
      text += exponent > 0 ? " * \(1 << step).0" : " / \(1 << step).0"
      exponent -= exponent > 0 ? step : -step
    }
    return "(\(text))"
  }
}
