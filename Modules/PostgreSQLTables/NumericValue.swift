package import MagicEngine

/// A number of the type `numeric`, in its binary form.
package struct NumericValue {
  /// The digits to the base 10,000, the first of which has the weight.
  private let digits: [Int]
  private let weight: Int
  private let sign: Int

  package init(_ bytes: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> Int {
      guard index * 2 + 2 <= bytes.count else { return 0 }
      return Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
    }
    digits = (0..<max(0, word(0))).map { word(4 + $0) }
    weight = word(1)
    sign = word(2) & 0xFFFF
  }

  /// A whole number of 64 bits is an integer, and any other number a floating-point number.
  package func field() -> Field {
    switch sign {
    case 0xC000: return .null
    case 0xD000: return .real(.infinity)
    case 0xF000: return .real(-.infinity)
    default: break
    }
    let isNegative = sign == 0x4000
    if let whole = whole(isNegative) { return .integer(whole) }
    var text = isNegative ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index == 0 { text += "\(digit)" } else { text += String(10_000 + digit).dropFirst() }
    }
    text += "e\((weight - digits.count + 1) * 4)"
    return .real(Double(text) ?? 0)
  }

  private func whole(_ isNegative: Bool) -> Int64? {
    guard digits.count <= weight + 1, weight < 5 || digits.isEmpty else {
      return digits.isEmpty ? 0 : nil
    }
    var result: Int64 = 0
    for index in 0..<max(0, weight + 1) {
      let digit = Int64(index < digits.count ? digits[index] : 0)
      let (product, overflows) = result.multipliedReportingOverflow(by: 10_000)
      let (sum, exceeds) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflows || exceeds { return nil }
      result = sum
    }
    return result
  }
}
