import Foundation
import Magical
import Testing

@Suite struct FoundationValueTests {
  @Test(arguments: ["a", "\0", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "\r\n", "\u{10FFFF}"] as [Character])
  func charactersAreReadWithTheirScalars(_ character: Character) throws {
    #expect(try StoredCell(storing: character) == .text(String(character)))
    #expect(try Array(roundTrip(character).unicodeScalars) == Array(character.unicodeScalars))
  }

  @Test(arguments: ["", "ab", " a", "a\0"])
  func textThatIsNotOneCharacterIsRefused(_ text: String) {
    #expect(throws: MagicalError.cannotDecode("the text is not one character")) {
      try StoredCell.text(text).load(Character.self)
    }
  }

  @Test(
    arguments: [
      0.0, -0.0, 0.1, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ] as [CGFloat])
  func everyCGFloatIsReadBitForBit(_ value: CGFloat) throws {
    #expect(try StoredCell(storing: value) == .real(Double(value)))
    #expect(try roundTrip(value).bitPattern == value.bitPattern)
  }

  @Test func aCGFloatThatIsNotANumberIsRefused() {
    #expect(throws: MagicalError.notANumber) { try StoredCell(storing: CGFloat.nan) }
    #expect(throws: MagicalError.self) { try StoredCell.text("1").load(CGFloat.self) }
  }

  @Test func dateComponentsAreStoredAsJSON() throws {
    var components = DateComponents(year: 2026, month: 11)
    #expect(try StoredCell(storing: components) == .json(#"{"month":11,"year":2026}"#))
    #expect(try roundTrip(components) == components)
    components.calendar = Calendar(identifier: .gregorian)
    components.timeZone = TimeZone(identifier: "Europe/Berlin")
    components.isLeapMonth = true
    components.nanosecond = .max
    components.era = .min
    #expect(try roundTrip(components) == components)
    #expect(try roundTrip(DateComponents()) == DateComponents())
    #expect(throws: MagicalError.self) { try StoredCell.json("[]").load(DateComponents.self) }
  }

  @Test func rangesAreStoredAsTheirBounds() throws {
    #expect(try StoredCell(storing: 1..<5) == .json("[1,5]"))
    #expect(try StoredCell(storing: "a"..."b") == .json(#"["a","b"]"#))
    #expect(try roundTrip(3..<3) == 3..<3)
    #expect(try roundTrip(Int.min...Int.max) == Int.min...Int.max)
    let day = Date(timeIntervalSinceReferenceDate: 0.1)..<Date(timeIntervalSinceReferenceDate: 1e9)
    #expect(try roundTrip(day) == day)
  }

  @Test(arguments: ["[5,1]", "[1]", "1", "{}", "[1.5,2]", ""])
  func otherJSONIsNoRange(_ text: String) {
    #expect(throws: MagicalError.self) { try StoredCell.json(text).load(Range<Int>.self) }
    #expect(throws: MagicalError.self) { try StoredCell.json(text).load(ClosedRange<Int>.self) }
  }

  @Test func anInfiniteBoundIsRefused() {
    #expect(throws: MagicalError.self) { try StoredCell(storing: 0..<Double.infinity) }
  }
}
