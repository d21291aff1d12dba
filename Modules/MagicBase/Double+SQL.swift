extension Double {
  /// An expression of SQL for exactly this finite number: an integer that is multiplied or divided by
  /// powers of two, which is exact. A database may read a literal as an adjacent number.
  package var exactSQL: String {
    if self == 0 { return sign == .minus ? "(0.0 * -1.0)" : "0.0" }
    // The significand as an integer of 53 bits, and the exponent that belongs to it.
    var mantissa = Int64(significandBitPattern)
    var exponent = Int(exponentBitPattern) - 1075
    if isNormal { mantissa |= 1 << 52 } else { exponent += 1 }
    var text = "\(sign == .minus ? "-" : "")\(mantissa).0"
    while exponent != 0 {
      let step = min(abs(exponent), 30)
      text += exponent > 0 ? " * \(1 << step).0" : " / \(1 << step).0"
      exponent -= exponent > 0 ? step : -step
    }
    return "(\(text))"
  }
}
