import Foundation
import MagicTestSupport
import Magical
import Testing

@Suite struct DecimalTests {
  @Test(arguments: [
    "0", "1", "-1", "0.1", "-0.1", "12345678901234567890123456789012345678",
    "0.00000000000000000000000000000000000001", "-99999999999999999999999999999999999999",
    "1234567890123456789.0123456789012345678", "100", "3.10",
  ])
  func decimalsAreReadExactly(_ text: String) throws {
    let value = try #require(Decimal(string: text))
    #expect(try roundTrip(value) == value)
  }

  @Test func decimalsAreStoredAsPlainText() throws {
    #expect(try StoredCell(storing: Decimal(string: "-12.5")!) == .text("-12.5"))
    #expect(try StoredCell(storing: Decimal(0)) == .text("0"))
    #expect(
      try StoredCell(storing: Decimal(string: "12345678901234567890123456789012345678")!)
        == .text("12345678901234567890123456789012345678"))
  }

  @Test func theLargestAndSmallestDecimalsAreReadExactly() throws {
    let extremes: [Decimal] = [
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude,
      .leastFiniteMagnitude, .leastNonzeroMagnitude,
      Decimal(sign: .plus, exponent: 127, significand: 1),
      Decimal(sign: .minus, exponent: -128, significand: 7),
      Decimal(sign: .plus, exponent: 100, significand: Decimal(string: "12345678901234567890")!),
    ]
    for value in extremes { #expect(try roundTrip(value) == value, "\(value)") }
  }

  @Test func randomDecimalsAreReadExactly() throws {
    var random = SeededRandom(38)
    for _ in 0..<500 {
      let digits = (0..<Int.random(in: 1...38, using: &random))
        .map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let significand = try #require(Decimal(string: digits))
      let exponent = Int.random(in: -100...80, using: &random)
      let value = Decimal(
        sign: Bool.random(using: &random) ? .plus : .minus, exponent: exponent,
        significand: significand)
      guard !value.isNaN else { continue }
      #expect(try roundTrip(value) == value, "\(digits) e\(exponent)")
    }
  }

  @Test func plainTextsAreReadAsFoundationReadsThem() throws {
    var random = SeededRandom(39)
    func digits(_ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in
        String([0, 0, 1, 5, 9].randomElement(using: &random) ?? 0)
      }
      .joined()
    }
    for _ in 0..<2_000 {
      var text = Bool.random(using: &random) ? "-" : ""
      text += digits(1...12)
      if Bool.random(using: &random) { text += "." + digits(1...10) }
      let value = try StoredCell.text(text).load(Decimal.self)
      let other = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
      #expect(value == other, "\(text)")
      #expect(value.isSignMinus == other.isSignMinus, "\(text)")
      #expect(value.description == other.description, "\(text)")
      #expect(try value.storedValue == other.storedValue, "\(text)")
    }
  }

  @Test(arguments: [
    "", " ", "1x", "x1", "1.2.3", "0x10", "1,5", "--1", "+-1", ".", "-", "1e", "1e+", "e5", "1 ",
    " 1", "1\u{0}", "١", "NaN", "nan", "inf", "Infinity",
  ])
  func malformedTextIsRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not a decimal number")) {
      try StoredCell.text(text).load(Decimal.self)
    }
  }

  @Test(arguments: ["1e500", "-1e500", "1e99999999999999999999"])
  func numbersBeyondDecimalAreRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not a decimal number")) {
      try StoredCell.text(text).load(Decimal.self)
    }
  }

  @Test(arguments: [
    "123456789012345678901234567890123456789012345",
    "0.123456789012345678901234567890123456789012345",
    "340282366920938463463374607431768211456.5", "1e-300", "1e-129",
    "-100000000000000000000000000000000000000000000000001",
  ])
  func numbersWithMoreDigitsThanADecimalAreRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not a decimal number")) {
      try StoredCell.text(text).load(Decimal.self)
    }
  }

  @Test func otherSpellingsOfANumberAreRead() throws {
    #expect(try StoredCell.text("+1.50").load(Decimal.self) == Decimal(string: "1.5"))
    #expect(try StoredCell.text("15e-1").load(Decimal.self) == Decimal(string: "1.5"))
    #expect(try StoredCell.text("007").load(Decimal.self) == 7)
  }

  @Test(arguments: [StoredCell.null, .integer(1), .real(1.5), .blob([49])])
  func anotherStorageClassIsNotADecimal(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(Decimal.self) }
  }
}
