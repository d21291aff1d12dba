import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Values that cannot be stored, and stored values that cannot be decoded: the error names the
/// property, and does not contain the value.
@Suite(.everyEngine) struct BadValueTests {
  let scratch = Scratch()

  /// Stores the result of an SQL expression in the column of the property, and fetches it.
  private func expectNoDecoding<Value: Magical & Sendable>(
    of good: Value, from expression: String, property: String = "value",
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file("\(UUID()).db"))
    defer { withExtendedLifetime(magic) {} }
    let path = scratch.names.last { $0.hasSuffix(".db") } ?? ""
    try await magic.update(contentsOf: [Box(good, good), Box(good, good), Box(good, good)])
    let raw = try scratch.raw(path)
    try raw.execute("UPDATE Box SET \(property) = \(expression) WHERE z_index = 2")
    let error = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await magic.object(of: Box<Value>.self) as [Box<Value>]
    }
    #expect(error?.code == .cannotDecode, sourceLocation: location)
    #expect(error?.type == "\(Box<Value>.self)", sourceLocation: location)
    #expect(error?.property == property, sourceLocation: location)
    #expect(error?.message.contains("Column \(property)") == true, sourceLocation: location)
    #expect(error?.message.contains("row 2") == true, sourceLocation: location)
    #expect("\(error as Any)".contains("secret") == false, sourceLocation: location)
    // A row that is fetched alone has exactly the memory that it needs.
    let single = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await magic.query(Box<Value>.self).order { $0.zIndex }.offset(1).first()
    }
    #expect(single?.code == .cannotDecode, sourceLocation: location)
    #expect(single?.property == property, sourceLocation: location)
    await magic.close()
    for name in scratch.names where name.hasPrefix(path) {
      try? FileManager.default.removeItem(atPath: scratch.file(name))
    }
  }

  @Test(.requires(.files)) func aTextIsNotDecodedAsANumber() async throws {
    try await expectNoDecoding(of: 1, from: "'secret'")
    try await expectNoDecoding(of: 1.5, from: "'secret'")
    try await expectNoDecoding(of: true, from: "'secret'")
    try await expectNoDecoding(of: Date(), from: "'secret'")
    try await expectNoDecoding(of: UInt8(1), from: "'secret'")
    try await expectNoDecoding(of: Float(1), from: "'secret'")
    try await expectNoDecoding(of: 1, from: "'secret'", property: "option")
  }

  @Test(.requires(.files)) func aNumberIsNotDecodedAsABlob() async throws {
    try await expectNoDecoding(of: Data([1]), from: "12")
    try await expectNoDecoding(of: [UInt8](), from: "1.5")
    try await expectNoDecoding(of: [1, 2], from: "7")
    try await expectNoDecoding(of: UUID(), from: "7", property: "option")
  }

  @Test(.requires(.files)) func aBlobIsNotDecodedAsAText() async throws {
    try await expectNoDecoding(of: "x", from: "X'736563726574'")
    try await expectNoDecoding(of: UUID(), from: "X'736563726574'")
    try await expectNoDecoding(of: UUID(), from: "X'00'", property: "option")
    try await expectNoDecoding(of: Decimal(1), from: "X'736563726574'")
    try await expectNoDecoding(of: Decimal(1), from: "X'00'", property: "option")
    try await expectNoDecoding(of: Colour.red, from: "X'736563726574'")
  }

  @Test(.requires(.files)) func aRealIsNotDecodedAsAnInteger() async throws {
    try await expectNoDecoding(of: 1, from: "1.5")
    try await expectNoDecoding(of: Level.low, from: "0.5")
  }

  @Test(.requires(.files)) func anIntegerBeyondTheTypeIsRefused() async throws {
    try await expectNoDecoding(of: Int8(1), from: "128")
    try await expectNoDecoding(of: Int16(1), from: "-32769")
    try await expectNoDecoding(of: Int32(1), from: "2147483648")
    try await expectNoDecoding(of: UInt8(1), from: "-1")
    try await expectNoDecoding(of: UInt16(1), from: "65536")
    try await expectNoDecoding(of: UInt32(1), from: "4294967296")
    try await expectNoDecoding(of: UInt(1), from: "-1")
    try await expectNoDecoding(of: UInt64(1), from: "-1")
    try await expectNoDecoding(of: true, from: "2")
    try await expectNoDecoding(of: Float(1), from: "1e300")
    try await expectNoDecoding(of: 1.5, from: "9007199254740993")
  }

  @Test(.requires(.files)) func aTextOfTheWrongFormIsRefused() async throws {
    try await expectNoDecoding(of: UUID(), from: "'secret'")
    try await expectNoDecoding(of: UUID(), from: "'E621E1F8-C36C-495A-93FC-0C247A3E6E5G'")
    try await expectNoDecoding(of: Decimal(1), from: "'12 secret'")
    try await expectNoDecoding(of: Colour.red, from: "'secret'")
    try await expectNoDecoding(of: Level.low, from: "5")
  }

  @Test(.requires(.files)) func brokenUTF8IsRefused() async throws {
    try await expectNoDecoding(of: "x", from: "CAST(X'80' AS TEXT)")
    try await expectNoDecoding(of: "x", from: "CAST(X'6161616161616161C3' AS TEXT)")
    try await expectNoDecoding(of: "x", from: "CAST(X'EDA080' AS TEXT)", property: "option")
    try await expectNoDecoding(of: "x", from: "CAST(X'C080' AS TEXT)")
  }

  @Test(.requires(.files)) func malformedJSONIsRefused() async throws {
    try await expectNoDecoding(of: [1], from: "CAST('[1,' AS BLOB)")
    try await expectNoDecoding(of: [1], from: "CAST('[\"secret\"]' AS BLOB)")
    try await expectNoDecoding(of: [1], from: "X''")
    try await expectNoDecoding(of: ["a": 1], from: "CAST('{\"secret\":\"secret\"}' AS BLOB)")
    try await expectNoDecoding(of: Job(title: "a"), from: "CAST('{\"secret\":1}' AS BLOB)")
    try await expectNoDecoding(of: Set(["a"]), from: "CAST('{}' AS BLOB)")
  }

  @Test(.requires(.files)) func nullInARequiredColumnIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Box("a"))
    await magic.close()
    let raw = try scratch.raw()
    try raw.execute(
      """
      DROP TABLE Box; CREATE TABLE Box (z_index INTEGER PRIMARY KEY, value TEXT, option TEXT);
      INSERT INTO Box VALUES (1, NULL, NULL)
      """)
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await again.object(of: Box<String>.self) as [Box<String>]
    }
    #expect(error?.code == .cannotDecode)
    #expect(error?.property == "value")
    #expect(error?.message.contains("NULL") == true)
  }

  @Test(.requires(.files)) func anIntegerIsDecodedAsAReal() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Box(1.5, 2.5))
    try scratch.raw().execute("UPDATE Box SET value = 7, option = -3")
    let box = try #require(try await magic.object(of: Box<Double>.self).first)
    #expect(box.value == 7)
    #expect(box.option == -3)
  }

  private func expectNoEncoding<Value: Magical & Sendable>(
    of bad: Value, beside good: Value, at location: SourceLocation = #_sourceLocation
  ) async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    for (box, property) in [(Box(bad), "value"), (Box(good, bad), "option")] {
      let error = await #expect(throws: MagicError.self, sourceLocation: location) {
        try await magic.update(box)
      }
      #expect(error?.code == .cannotEncode, sourceLocation: location)
      #expect(error?.type == "\(Box<Value>.self)", sourceLocation: location)
      #expect(error?.property == property, sourceLocation: location)
      #expect(box.zIndex == nil, sourceLocation: location)
    }
    #expect(try await magic.object(of: Box<Value>.self).isEmpty, sourceLocation: location)
    // The object can be corrected and saved.
    let box = Box(bad)
    await #expect(throws: MagicError.self) { try await magic.update(box) }
    box.value = good
    try await magic.update(box)
    #expect(try await magic.object(of: Box<Value>.self).count == 1, sourceLocation: location)
  }

  @Test func notANumberCannotBeStored() async throws {
    try await expectNoEncoding(of: Double.nan, beside: 1)
    try await expectNoEncoding(of: Double.signalingNaN, beside: 1)
    try await expectNoEncoding(of: Float.nan, beside: 1)
    try await expectNoEncoding(of: Decimal.nan, beside: 1)
    try await expectNoEncoding(of: Date(timeIntervalSinceReferenceDate: .nan), beside: Date())
    try await expectNoEncoding(of: Celsius(degrees: .nan), beside: Celsius(degrees: 1))
  }

  @Test func anUnsignedIntegerAboveInt64MaxCannotBeStored() async throws {
    try await expectNoEncoding(of: UInt64(Int64.max) + 1, beside: 1)
    try await expectNoEncoding(of: UInt.max, beside: 1)
  }

  @Test func infinityInJSONCannotBeStored() async throws {
    try await expectNoEncoding(of: [Double.infinity], beside: [1])
    try await expectNoEncoding(of: [Double.nan], beside: [1])
    try await expectNoEncoding(of: Job(title: "x", salary: -.infinity), beside: Job(title: "x"))
  }

  @Test(.requires(.files)) func aRowWithAnInvalidValueDoesNotAffectOtherRows() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (1...3).map { Person(id: "\($0)", name: "n") })
    try scratch.raw().execute("UPDATE Person SET name = X'00' WHERE id = '2'")
    #expect(try await magic.object(of: Person.self, primary: "1").name == "n")
    #expect(try await magic.object(of: Person.self, primary: "3").name == "n")
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self, primary: "2")
    }
    #expect(error?.code == .cannotDecode)
    // It can be replaced.
    try await magic.update(Person(id: "2", name: "mended"))
    #expect(try await magic.object(of: Person.self).map(\.name) == ["n", "mended", "n"])
  }
}
