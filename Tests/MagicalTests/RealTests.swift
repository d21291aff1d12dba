import Foundation
import MagicTestSupport
import Magical
import Testing

@Suite struct RealTests {
  @Test func realsDatesAndFloatsAreStoredAsReals() throws {
    #expect(try StoredCell(storing: 0.1) == .real(0.1))
    #expect(try StoredCell(storing: Float(0.1)) == .real(Double(Float(0.1))))
    #expect(try StoredCell(storing: Date(timeIntervalSinceReferenceDate: 1.5)) == .real(1.5))
  }

  @Test(arguments: [
    0.0, -0.0, 0.1, 1 / 3, .pi, .infinity, -.infinity, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, 1e300,
  ])
  func everyDoubleIsReadBitForBit(_ value: Double) throws {
    #expect(try roundTrip(value).bitPattern == value.bitPattern)
  }

  @Test func negativeZeroKeepsItsSign() throws {
    #expect(try roundTrip(-0.0).sign == .minus)
    #expect(try roundTrip(Float(-0.0)).sign == .minus)
  }

  @Test func everyFloatIsReadBitForBit() throws {
    var random = SeededRandom(1)
    var values: [Float] = [
      0.1, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    for _ in 0..<1_000 {
      values.append(Float(bitPattern: UInt32.random(in: 0...(.max), using: &random)))
    }
    for value in values where !value.isNaN {
      #expect(try roundTrip(value).bitPattern == value.bitPattern)
    }
  }

  @Test func notANumberIsRefused() {
    #expect(
      throws: MagicalError.cannotEncode(
        "NaN cannot be stored: the database would store NULL instead")
    ) {
      try StoredCell(storing: Double.nan)
    }
    #expect(throws: MagicalError.self) { try StoredCell(storing: Double.signalingNaN) }
    #expect(throws: MagicalError.self) { try StoredCell(storing: Float.nan) }
    #expect(throws: MagicalError.self) { try StoredCell(storing: Decimal.nan) }
    #expect(throws: MagicalError.self) {
      try StoredCell(storing: Date(timeIntervalSinceReferenceDate: .nan))
    }
  }

  @Test func integersOfOtherToolsAreReadIfTheyAreExact() throws {
    #expect(try StoredCell.integer(3).load(Double.self) == 3)
    #expect(try StoredCell.integer(-3).load(Float.self) == -3)
    #expect(try StoredCell.integer(1 << 53).load(Double.self) == 9_007_199_254_740_992)
    #expect(
      throws: MagicalError.cannotDecode("the integer cannot be represented exactly as a Double")
    ) {
      try StoredCell.integer((1 << 53) + 1).load(Double.self)
    }
  }

  @Test func numbersBeyondFloatAreRefused() {
    #expect(throws: MagicalError.cannotDecode("the number is out of range for Float")) {
      try StoredCell.real(1e300).load(Float.self)
    }
    #expect(throws: MagicalError.self) { try StoredCell.real(-1e300).load(Float.self) }
  }

  @Test(arguments: [StoredCell.null, .text("1.5"), .blob([1])])
  func anotherStorageClassIsNotAReal(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(Double.self) }
    #expect(throws: MagicalError.self) { try cell.load(Float.self) }
    #expect(throws: MagicalError.self) { try cell.load(Date.self) }
  }

  @Test func datesAreSecondsSince2001() throws {
    let start = Date(timeIntervalSince1970: 978_307_200)
    #expect(try StoredCell(storing: start) == .real(0))
    #expect(try StoredCell.real(-978_307_200).load(Date.self) == Date(timeIntervalSince1970: 0))
  }

  @Test func datesAreReadExactly() throws {
    let dates = [Date(), .distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1)]
    for date in dates { #expect(try roundTrip(date) == date) }
  }
}
