import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import Testing

/// Columns whose values are converted to another type.
@Suite struct TypeConversionTests {
  let scratch = Scratch()

  // MARK: Without a declaration

  @Test func integersBecomeReals() throws {
    let most = 1 << 53
    try scratch.make([1, nil, -7, 0, most, -most])
    try scratch.migrating(to: Held<Double>.self) { store, rows throws in
      #expect(rows.map(\.value) == [1, nil, -7, 0, Double(most), Double(-most)])
      rows[0].value = -0.0
      try store.update(rows[0])
      let bits = try store.object(of: Held<Double>.self)[0].value?.bitPattern
      #expect(bits == (-0.0).bitPattern)
    }
  }

  @Test func theErrorNamesTheRowsOfIntegersThatARealCannotRepresent() throws {
    try scratch.make([1, (1 << 53) + 1, nil, Int.max, Int.min])
    let plan = try scratch.expectNoMigration(
      to: Held<Double>.self, property: "value", naming: ["rows 2, 4", "5", "value"])
    #expect(plan?.description.contains("9007199254740993") == false)
  }

  @Test func aFloatRepresentsFewerIntegersThanADouble() throws {
    try scratch.make([1, 1 << 24])
    try scratch.migrating(to: Held<Float>.self) { _, rows throws in
      #expect(rows.map(\.value) == [1, 16_777_216])
    }
    let other = Scratch()
    try other.using { store in try store.update(Held(1 << 24 + 1)) }
    try other.expectNoMigration(to: Held<Float>.self, property: "value", naming: ["row 1"])
  }

  @Test func integersBecomeTexts() throws {
    try scratch.make([1, nil, -7, 0, Int.max, Int.min])
    try scratch.migrating(to: Held<String>.self) { _, rows throws in
      #expect(rows.map(\.value) == ["1", nil, "-7", "0", "\(Int.max)", "\(Int.min)"])
    }
    #expect(
      try scratch.raw().texts("SELECT DISTINCT typeof(value) FROM Held ORDER BY 1")
        == ["null", "text"])
  }

  @Test func textsBecomeTheirBytes() throws {
    try scratch.make(["a", nil, "", "ü🙂", "x\0y"])
    try scratch.migrating(to: Held<Data>.self) { _, rows throws in
      #expect(
        rows.map(\.value)
          == [Data("a".utf8), nil, Data(), Data("ü🙂".utf8), Data("x\0y".utf8)])
    }
  }

  @Test func textsBecomeBytesInAnArrayToo() throws {
    try scratch.make(["a", ""])
    try scratch.migrating(to: Held<[UInt8]>.self) { _, rows throws in
      #expect(rows.map(\.value) == [[97], []])
    }
  }

  @Test func aHundredColumnsAreConvertedAtOnce() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<3).map { _ in Wide<Int>() })
    }
    let names = (1...100).map { "c" + "\(1000 + $0)".dropFirst() }
    try scratch.raw().execute(
      "UPDATE Wide SET " + names.map { "\($0) = z_index" }.joined(separator: ", "))
    try scratch.migrating(to: Wide<String>.self) { _, rows throws in
      #expect(rows.map(\.c001) == ["1", "2", "3"])
      #expect(rows.map(\.c100) == ["1", "2", "3"])
    }
  }

  // MARK: With a declaration

  @Test func realsBecomeIntegersIfThatIsDeclared() throws {
    try scratch.make([1.0, nil, -7, 0, 9_007_199_254_740_992])
    try scratch.expectNoMigration(
      to: Held<Int>.self, property: "value", naming: [".convertValue(name: \"value\")"])
    try scratch.migrating(to: Converted<Int>.self) { _, rows throws in
      #expect(rows.map(\.value) == [1, nil, -7, 0, 1 << 53])
    }
    #expect(
      try scratch.raw().texts("SELECT DISTINCT typeof(value) FROM Held ORDER BY 1")
        == ["integer", "null"])
  }

  private func kind<Model: MagicObject>(of type: Model.Type) throws -> MagicMigrationPlan.Kind? {
    var kind: MagicMigrationPlan.Kind?
    try scratch.using { store throws in kind = try store.migrationPlan(for: type).kind }
    return kind
  }

  @Test func aConversionThatKeepsEveryValueIsRewriting() throws {
    try scratch.make([1.0, nil])
    #expect(try kind(of: Converted<Int>.self) == .rewriting)
    // Refused, and still nothing would be deleted.
    #expect(try kind(of: Held<Int>.self) == .rewriting)
  }

  @Test func aTextThatBecomesAnIntegerIsRewriting() throws {
    try scratch.make(["1", "-7"])
    #expect(try kind(of: Converted<Int>.self) == .rewriting)
  }

  @Test func aTextThatBecomesARealMayLoseDigits() throws {
    try scratch.make(["0.10000000000000000001"])
    #expect(try kind(of: Converted<Double>.self) == .destroying)
  }

  @Test(arguments: [1.5, .infinity, -.infinity, 1e300, 9_223_372_036_854_775_808, -1e19])
  func theErrorNamesTheRowOfARealThatIsNotAnInteger(value: Double) throws {
    try scratch.make([1, value])
    try scratch.expectNoMigration(to: Converted<Int>.self, property: "value", naming: ["row 2"])
  }

  @Test func aNegativeZeroBecomesZero() throws {
    try scratch.make([-0.0])
    try scratch.migrating(to: Converted<Int>.self) { _, rows throws in
      #expect(rows.map(\.value) == [0])
    }
  }

  @Test(arguments: [128.0, -129])
  func theErrorNamesTheRowOfAnIntegerOutOfTheRangeOfTheType(value: Double) throws {
    try scratch.make([value, 127, -128])
    try scratch.expectNoMigration(to: Converted<Int8>.self, property: "value", naming: ["row 1"])
  }

  @Test func textsBecomeIntegersIfThatIsDeclared() throws {
    try scratch.make(["1", nil, "-7", "0", "\(Int.max)", "\(Int.min)"])
    try scratch.expectNoMigration(
      to: Held<Int>.self, property: "value", naming: [".convertValue(name: \"value\")"])
    try scratch.migrating(to: Converted<Int>.self) { _, rows throws in
      #expect(rows.map(\.value) == [1, nil, -7, 0, .max, .min])
    }
  }

  @Test(
    arguments: ["", " 1", "1 ", "01", "+1", "1.0", "0x1", "x", "9223372036854775808", "-0", "1\0"])
  func theErrorNamesTheRowOfATextThatIsNotAnInteger(text: String) throws {
    try scratch.make(["1", text])
    try scratch.expectNoMigration(to: Converted<Int>.self, property: "value", naming: ["row 2"])
  }

  @Test func textsBecomeRealsIfThatIsDeclared() throws {
    try scratch.make(["1", nil, "-7.25", "0", "1e300", "-0.0"])
    try scratch.migrating(to: Converted<Double>.self) { _, rows throws in
      #expect(
        rows.map { $0.value?.bitPattern }
          == [1, nil, -7.25, 0, 1e300, -0.0].map { (value: Double?) in value?.bitPattern })
    }
  }

  @Test(arguments: ["", "x", "1x", "nan", "inf", "true", "[1]", "\"1\"", "1\0"])
  func theErrorNamesTheRowOfATextThatIsNotAReal(text: String) throws {
    try scratch.make(["1", text])
    try scratch.expectNoMigration(to: Converted<Double>.self, property: "value", naming: ["row 2"])
  }

  // MARK: Refused

  @Test func aConversionThatNeedsAClosureIsRefused() throws {
    try scratch.make([Data([1])])
    try scratch.expectNoMigration(
      to: Held<Int>.self, property: "value", naming: ["value", ".transformRows"])
    try scratch.expectNoMigration(
      to: Held<String>.self, property: "value", naming: ["value", ".transformRows"])
    try scratch.expectNoMigration(
      to: Held<Double>.self, property: "value", naming: ["value", ".transformRows"])
  }

  @Test func aConversionThatNeedsAClosureIsAllowedWithoutValues() throws {
    try scratch.make([Data?.none, nil])
    try scratch.migrating(to: Held<Int>.self) { store, rows throws in
      #expect(rows.map(\.value) == [nil, nil])
      rows[0].value = 5
      try store.update(rows[0])
      #expect(try store.object(of: Held<Int>.self).map(\.value) == [5, nil])
    }
  }

  @Test func aTextDoesNotBecomeJSON() throws {
    try scratch.make(["[1]"])
    try scratch.expectNoMigration(to: Held<[Int]>.self, property: "value")
  }
}
