import Foundation
import MagicTestSupport
import Magical
import Testing

private struct Address: Codable, Hashable {
  var street: String
  var city: String
  var number: Int?
}

private struct Job: MagicalCodable, Equatable {
  var title: String
  var address: Address
  var tags: [String: [Int]]
}

private struct Reading: MagicalCodable, Equatable { var value: Double }

@Suite struct JSONTests {
  @Test func arraysAreStoredAsJSON() throws {
    #expect(try StoredCell(storing: ["b", "a"]) == .json(#"["b","a"]"#))
    #expect(try StoredCell(storing: [3, 1, 2]) == .json("[3,1,2]"))
    #expect(try StoredCell(storing: [Int]()) == .json("[]"))
    #expect(try StoredCell(storing: [Int8(1), -1]) == .json("[1,-1]"))
    #expect(try StoredCell(storing: [[1], []]) == .json("[[1],[]]"))
    #expect(try StoredCell(storing: [Int?.none, 1]) == .json("[null,1]"))
  }

  @Test func dictionariesAreStoredAsJSONWithSortedKeys() throws {
    let numbers = ["zebra": 1, "Ant": 2, "bee": 3, "ä": 4]
    #expect(try StoredCell(storing: numbers) == .json(#"{"Ant":2,"bee":3,"zebra":1,"ä":4}"#))
    #expect(try StoredCell(storing: [String: Int]()) == .json("{}"))
    #expect(try StoredCell(storing: [7: "x"]) == .json(#"{"7":"x"}"#))
  }

  @Test func setsAreStoredAsJSONArrays() throws {
    #expect(try StoredCell(storing: Set(["a"])) == .json(#"["a"]"#))
    let numbers = Set(0..<100)
    #expect(try roundTrip(numbers) == numbers)
  }

  @Test func codableTypesAreStoredAsJSONWithSortedKeysAndPlainSlashes() throws {
    let job = Job(
      title: "a/b \"c\"", address: Address(street: "S", city: "C", number: nil),
      tags: ["y": [1], "x": []])
    #expect(
      try StoredCell(storing: job)
        == .json(
          #"{"address":{"city":"C","street":"S"},"tags":{"x":[],"y":[1]},"title":"a/b \"c\""}"#))
    #expect(try roundTrip(job) == job)
  }

  @Test func collectionsAreReadUnchanged() throws {
    let addresses = [Address(street: "S\0T", city: "👩‍👩‍👧", number: .max)]
    #expect(try roundTrip(addresses) == addresses)
    #expect(try roundTrip(Set(addresses)) == Set(addresses))
    #expect(try roundTrip(["k\"\\\n": addresses]) == ["k\"\\\n": addresses])
    let byAddress = [addresses[0]: 1, Address(street: "", city: "", number: nil): 2]
    #expect(try roundTrip(byAddress) == byAddress)
    let byFlag = [true: "a", false: "b"]
    #expect(try roundTrip(byFlag) == byFlag)
  }

  @Test func extremesInJSONAreReadExactly() throws {
    #expect(try roundTrip([Int64.min, .max]) == [.min, .max])
    #expect(try roundTrip([UInt64.max]) == [.max])
    let reals = [
      0.1, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e21, 123456789012345680,
    ]
    #expect(try roundTrip(reals) == reals)
    let floats: [Float] = [0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    #expect(try roundTrip(floats) == floats)
    let dates = [Date(), .distantPast]
    #expect(try roundTrip(dates) == dates)
    let blobs = [Data([0, 255]), Data()]
    #expect(try roundTrip(blobs) == blobs)
  }

  @Test func randomDoublesInJSONAreReadBitForBit() throws {
    var random = SeededRandom(64)
    let values = (0..<2_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    #expect(try roundTrip(values).map(\.bitPattern) == values.map(\.bitPattern))
  }

  @Test func negativeZeroInsideJSONKeepsItsSign() throws {
    #expect(try roundTrip([-0.0])[0].sign == .minus)
    #expect(try roundTrip(Reading(value: -0.0)).value.sign == .minus)
  }

  @Test func decimalsInJSONAreReadExactly() throws {
    let values = ["0.1", "12345678901234567890123456789012345678", "-1.00000000000000000001"]
      .compactMap { Decimal(string: $0) }
    #expect(try roundTrip(values) == values)
  }

  @Test func textInJSONIsReadByteForByte() throws {
    let texts = ["a\0b", "e\u{301}", "\u{e9}", "\u{2028}\u{7f}\u{1b}", "\u{10ffff}", "\\u0041"]
    #expect(try roundTrip(texts).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbersWithoutJSONFormAreRefused(_ value: Double) {
    #expect(
      throws: MagicalError.cannotEncode(
        "the value cannot be encoded as JSON: invalid value at 0")
    ) {
      try StoredCell(storing: [value])
    }
    #expect(
      throws: MagicalError.cannotEncode(
        "the value cannot be encoded as JSON: invalid value at <key>")
    ) {
      try StoredCell(storing: Reading(value: value))
    }
    #expect(throws: MagicalError.self) { try StoredCell(storing: ["x": Float(value)]) }
  }

  @Test(arguments: ["", "{", "[1", "[1] x", "{\"a\":1}", "null", "[\"a\"]", "[1.5]", "[1e99]"])
  func malformedJSONIsRefused(_ text: String) {
    #expect {
      try StoredCell.json(text).load([Int].self)
    } throws: { error in
      guard case MagicalError.cannotDecode = error else { return false }
      return true
    }
  }

  @Test func JSONWithInvalidUTF8IsRefused() {
    #expect(throws: MagicalError.self) {
      try StoredCell.blob([0x5b, 0x22, 0xc3, 0x22, 0x5d]).load([String].self)
    }
  }

  @Test func manyTasksEncodeAtOnce() async throws {
    let same = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        let value = ["\(index)": [index]]
        group.addTask {
          try (0..<50).allSatisfy { _ in try roundTrip(value) == value }
        }
      }
      return try await group.reduce(true) { $0 && $1 }
    }
    #expect(same)
  }
}
