import Foundation
import Magical
import Testing

private enum Kind: Int, Magical, CaseIterable { case small = -1, large = 7 }
private enum Level: UInt8, Magical { case low = 1, high = 255 }
private enum Name: String, MagicalCodable, CaseIterable { case ada, grace = "Gräce \0" }
private enum Payload: MagicalCodable, Equatable {
  case none
  case text(String)
  case point(x: Int, y: Int)
}

private struct Celsius: Magical, Equatable {
  var degrees: Double

  var storedValue: Double { degrees }
  init(degrees: Double) { self.degrees = degrees }
  init(storedValue: Double) { degrees = storedValue }
}

private struct Even: Magical {
  var number: Int64

  var storedValue: Int64 {
    get throws {
      guard number % 2 == 0 else { throw MagicalError.cannotEncode("the number is odd") }
      return number
    }
  }
  init(number: Int64) { self.number = number }
  init(storedValue: Int64) throws {
    guard storedValue % 2 == 0 else { throw MagicalError.cannotDecode("the number is odd") }
    number = storedValue
  }
}

private struct Identifier: RawRepresentable, Magical, Hashable { var rawValue: UUID }
private struct Flags: OptionSet, Magical { var rawValue: UInt16 }

@Suite struct CustomTypeTests {
  @Test func anEnumerationOfIntegersIsStoredAsItsRawValue() throws {
    #expect(try StoredCell(storing: Kind.small) == .integer(-1))
    #expect(try StoredCell(storing: Level.high) == .integer(255))
    for kind in Kind.allCases { #expect(try roundTrip(kind) == kind) }
  }

  @Test func aCodableEnumerationWithARawValueIsStoredAsThatAndNotAsJSON() throws {
    #expect(try StoredCell(storing: Name.ada) == .text("ada"))
    #expect(Name.StoredValue.storageClass == .text)
    for name in Name.allCases { #expect(try roundTrip(name) == name) }
  }

  @Test func aRawValueWithoutACaseIsRefused() {
    #expect(throws: MagicalError.cannotDecode("the stored value is not a raw value of Kind")) {
      try StoredCell.integer(0).load(Kind.self)
    }
    #expect(throws: MagicalError.cannotDecode("the stored value is not a raw value of Name")) {
      try StoredCell.text("ADA").load(Name.self)
    }
    #expect(throws: MagicalError.cannotDecode("the integer is out of range for UInt8")) {
      try StoredCell.integer(256).load(Level.self)
    }
  }

  @Test func anEnumerationWithPayloadsIsStoredAsJSON() throws {
    #expect(
      try StoredCell(storing: Payload.point(x: 1, y: 2)) == .json(#"{"point":{"x":1,"y":2}}"#))
    for payload in [Payload.none, .text("a"), .point(x: .min, y: .max)] {
      #expect(try roundTrip(payload) == payload)
    }
  }

  @Test func aTypeIsStoredAsTheTypeItNames() throws {
    #expect(try StoredCell(storing: Celsius(degrees: 36.6)) == .real(36.6))
    #expect(try roundTrip(Celsius(degrees: -0.0)).degrees.sign == .minus)
    #expect(throws: MagicalError.self) { try StoredCell(storing: Celsius(degrees: .nan)) }
    #expect(throws: MagicalError.self) { try StoredCell.text("36.6").load(Celsius.self) }
  }

  @Test func aTypeMayRefuseValues() throws {
    #expect(try roundTrip(Even(number: 4)).number == 4)
    #expect(throws: MagicalError.cannotEncode("the number is odd")) {
      try StoredCell(storing: Even(number: 3))
    }
    #expect(throws: MagicalError.cannotDecode("the number is odd")) {
      try StoredCell.integer(3).load(Even.self)
    }
  }

  @Test func aStructureWithAMagicalRawValueNeedsNoCode() throws {
    let identifier = Identifier(rawValue: UUID())
    #expect(try StoredCell(storing: identifier) == .text(identifier.rawValue.uuidString))
    #expect(try roundTrip(identifier) == identifier)
    #expect(try StoredCell(storing: Flags(rawValue: 5)) == .integer(5))
    #expect(try roundTrip(Flags(rawValue: 5)) == Flags(rawValue: 5))
  }
}
