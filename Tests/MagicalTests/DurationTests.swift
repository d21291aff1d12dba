import MagicTestSupport
import Magical
import Testing

@Suite struct DurationTests {
  private static let extremes: [Duration] = [
    .seconds(Int64.min), .seconds(Int64.min) + .nanoseconds(1), .seconds(Int64.max),
    Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
  ]

  @Test func durationsAreStoredWithAllAttoseconds() throws {
    #expect(
      try StoredCell(storing: Duration.seconds(90))
        == .text("0000000000000000090.000000000000000000"))
    #expect(
      try StoredCell(storing: Duration(secondsComponent: 1, attosecondsComponent: 1))
        == .text("0000000000000000001.000000000000000001"))
    #expect(
      try StoredCell(storing: Duration.milliseconds(-500))
        == .text("-9999999999999999999.500000000000000000"))
    #expect(
      try StoredCell(storing: Duration.seconds(Int64.max))
        == .text("9223372036854775807.000000000000000000"))
    #expect(
      try StoredCell(storing: Duration.seconds(Int64.min))
        == .text("-0776627963145224192.000000000000000000"))
  }

  @Test func durationsAreReadExactly() throws {
    for value in Self.extremes + [.zero, .seconds(1.1), .seconds(-1.1), .nanoseconds(-1)] {
      #expect(try roundTrip(value) == value)
    }
    var random = SeededRandom(18)
    for _ in 0..<1_000 {
      let value = Self.random(&random)
      #expect(try roundTrip(value) == value)
    }
  }

  @Test func theTextsHaveTheOrderOfTheDurations() throws {
    var random = SeededRandom(19)
    var values = Self.extremes + [.zero, .seconds(1), .seconds(-1), .nanoseconds(-1)]
    for _ in 0..<500 { values.append(Self.random(&random)) }
    let sorted = try values.sorted {
      try Array($0.storedValue.utf8).lexicographicallyPrecedes(Array($1.storedValue.utf8))
    }
    #expect(sorted == values.sorted())
  }

  @Test func durationsWithMoreSecondsThanAnInt64AreRefused() {
    let longest = Duration.seconds(Int64.max)
    for value in [longest + .seconds(1), longest + longest, .seconds(Int64.min) - .nanoseconds(1)] {
      #expect(throws: MagicalError.cannotEncode("the duration is too long")) {
        try StoredCell(storing: value)
      }
    }
  }

  @Test(arguments: [
    "", "1", "1.5", "0000000000000000001", "0000000000000000001.5", "-", "NaN",
    "+000000000000000001.000000000000000000", "0000000000000000001,000000000000000000",
    "0000000000000000001.0000000000000000000", "00000000000000000001.000000000000000000",
    "9223372036854775808.000000000000000000", "-0776627963145224191.000000000000000000",
    "0000000000000000001.00000000000000000\u{0}", "000000000000000000١.000000000000000000",
  ])
  func otherTextIsRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not a duration")) {
      try StoredCell.text(text).load(Duration.self)
    }
  }

  @Test(arguments: [StoredCell.null, .integer(1), .real(1.5), .blob([49])])
  func anotherStorageClassIsNotADuration(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(Duration.self) }
  }

  private static func random(_ random: inout SeededRandom) -> Duration {
    // Of all magnitudes.
    let seconds =
      Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
    return Duration(
      secondsComponent: seconds,
      attosecondsComponent: .random(in: 0..<1_000_000_000_000_000_000, using: &random))
  }
}
