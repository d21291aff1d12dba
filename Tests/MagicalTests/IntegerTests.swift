import Magical
import Testing

@Suite struct IntegerTests {
  @Test func everyIntegerTypeIsStoredAsAnInteger() throws {
    #expect(try StoredCell(storing: Int(-7)) == .integer(-7))
    #expect(try StoredCell(storing: Int8(-7)) == .integer(-7))
    #expect(try StoredCell(storing: Int16(-7)) == .integer(-7))
    #expect(try StoredCell(storing: Int32(-7)) == .integer(-7))
    #expect(try StoredCell(storing: Int64(-7)) == .integer(-7))
    #expect(try StoredCell(storing: UInt(7)) == .integer(7))
    #expect(try StoredCell(storing: UInt8(7)) == .integer(7))
    #expect(try StoredCell(storing: UInt16(7)) == .integer(7))
    #expect(try StoredCell(storing: UInt32(7)) == .integer(7))
    #expect(try StoredCell(storing: UInt64(7)) == .integer(7))
  }

  @Test func extremesAreReadExactly() throws {
    func check<Value: FixedWidthInteger & Magical>(_ values: Value...) throws {
      for value in values { #expect(try roundTrip(value) == value) }
    }
    try check(Int.min, .max, 0, -1)
    try check(Int8.min, .max)
    try check(Int16.min, .max)
    try check(Int32.min, .max)
    try check(Int64.min, .max)
    try check(UInt8.min, .max)
    try check(UInt16.min, .max)
    try check(UInt32.min, .max)
    try check(UInt.min, UInt(Int64.max))
    try check(UInt64.min, UInt64(Int64.max))
  }

  @Test func unsignedValuesAboveTheSignedMaximumAreRefused() {
    #expect(throws: MagicalError.cannotEncode("the UInt64 value is greater than Int64.max")) {
      try StoredCell(storing: UInt64(Int64.max) + 1)
    }
    #expect(throws: MagicalError.cannotEncode("the UInt value is greater than Int64.max")) {
      try StoredCell(storing: UInt.max)
    }
  }

  @Test func integersOutOfATypesRangeAreRefused() {
    func refuses<Value: Magical>(_ type: Value.Type, _ values: Int64...) {
      for value in values {
        #expect(throws: MagicalError.cannotDecode("the integer is out of range for \(type)")) {
          try StoredCell.integer(value).load(type)
        }
      }
    }
    refuses(Int8.self, 128, -129)
    refuses(Int16.self, 32_768, -32_769)
    refuses(Int32.self, 2_147_483_648, .min)
    refuses(UInt8.self, 256, -1)
    refuses(UInt16.self, 65_536, -1)
    refuses(UInt32.self, 4_294_967_296, -1)
    refuses(UInt.self, -1, .min)
    refuses(UInt64.self, -1, .min)
    refuses(Bool.self, 2, -1)
  }

  @Test func booleansAreStoredAsZeroAndOne() throws {
    #expect(try StoredCell(storing: true) == .integer(1))
    #expect(try StoredCell(storing: false) == .integer(0))
    #expect(try roundTrip(true))
    #expect(try !roundTrip(false))
  }

  @Test(arguments: [StoredCell.null, .real(1), .text("1"), .blob([1])])
  func anotherStorageClassIsNotAnInteger(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(Int.self) }
    #expect(throws: MagicalError.self) { try cell.load(UInt8.self) }
    #expect(throws: MagicalError.self) { try cell.load(Bool.self) }
  }
}
