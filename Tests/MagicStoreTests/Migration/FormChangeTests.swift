import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import SQLiteStore
import Testing

/// Properties whose values become those of another type with the same storage class.
@Suite struct FormChangeTests {
  let scratch = Scratch()

  private struct Transformed: MagicObject {
    static var tableName: String { "Held" }
    @OptionMagicValue var value: MagicVector?
    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [.transformValue(name: "value") { (numbers: [Float]) in MagicVector(numbers) }]
        }
      }
    }
  }

  /// The JSON of these numbers has eight bytes, and would be read as two numbers.
  @Test func numbersInJSONDoNotBecomeAVectorByThemselves() throws {
    try scratch.make([[1, 2, 3.5] as [Float], nil])
    #expect(try scratch.raw().integer("SELECT max(length(value)) FROM Held") == 9)
    try scratch.raw().execute(
      "UPDATE Held SET value = CAST('[1, 2, 3.5 ]' AS BLOB) WHERE value NOTNULL")
    try scratch.expectNoMigration(
      to: Held<MagicVector>.self, property: "value", naming: [".transformValue(name: \"value\")"])
    try scratch.expectNoMigration(
      to: Converted<MagicVector>.self, property: "value",
      naming: [".transformValue(name: \"value\")"])
    try scratch.migrating(to: Transformed.self) { _, rows throws in
      #expect(rows.map(\.value) == [[1, 2, 3.5], nil])
    }
  }

  @Test func bytesBecomeAVectorIfThatIsDeclared() throws {
    let bytes = try MagicVector([1, -2]).storedValue
    try scratch.make([bytes, nil, Data()])
    try scratch.expectNoMigration(
      to: Held<MagicVector>.self, property: "value", naming: [".convertValue(name: \"value\")"])
    try scratch.migrating(to: Converted<MagicVector>.self) { _, rows throws in
      #expect(rows.map(\.value) == [[1, -2], nil, []])
    }
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Converted<MagicVector>.self).steps.isEmpty)
    }
  }

  @Test func bytesThatAreNoVectorAreNamed() throws {
    try scratch.make([Data([0, 0, 0, 0]), Data([1, 2, 3]), Data([1])])
    try scratch.expectNoMigration(
      to: Converted<MagicVector>.self, property: "value", naming: ["rows 2, 3", "four bytes"])
  }

  @Test func aVectorBecomesItsBytes() throws {
    try scratch.make([[1, 2] as MagicVector])
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Held<Data>.self).steps.isEmpty)
      let rows = try store.object(of: Held<Data>.self)
      #expect(rows.map(\.value) == [try MagicVector([1, 2]).storedValue])
    }
  }

  @Test func aVectorDoesNotBecomeJSON() throws {
    try scratch.make([[1, 2] as MagicVector])
    try scratch.expectNoMigration(
      to: Held<[Float]>.self, property: "value", naming: [".transformValue(name: \"value\")"])
  }

  @Test func numbersBecomeDatesIfThatIsDeclared() throws {
    try scratch.make([1_700_000_000.0, nil])
    try scratch.expectNoMigration(
      to: Held<Date>.self, property: "value", naming: [".convertValue(name: \"value\")"])
    try scratch.migrating(to: Converted<Date>.self) { _, rows throws in
      #expect(rows.map(\.value) == [Date(timeIntervalSinceReferenceDate: 1_700_000_000), nil])
    }
  }

  @Test func aColumnWithoutValuesBecomesAVector() throws {
    try scratch.make([nil as [Float]?])
    try scratch.migrating(to: Held<MagicVector>.self) { store, rows throws in
      rows[0].value = [1]
      try store.update(rows[0])
      #expect(try store.object(of: Held<MagicVector>.self).map(\.value) == [[1]])
    }
  }

  @Test func aReadOnlyDatabaseRefusesTheOtherForm() throws {
    try scratch.make([Data([0, 0, 0, 0])])
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Held<MagicVector>.self) }
      #expect(error?.code == .needsMigration)
      #expect(try store.object(of: Held<Data>.self).count == 1)
    }
  }

  @Test func verificationNamesTheRowsOfInvalidVectors() throws {
    try scratch.make([[1, 2] as MagicVector, [3], nil, [], [4]])
    try scratch.raw().execute(
      """
      UPDATE Held SET value = x'0000803F00' WHERE z_index = 1;
      UPDATE Held SET value = 'text' WHERE z_index = 5
      """)
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.map(\.kind) == [.wrongValue, .wrongValue], "\(report)")
      #expect(report.findings.map { $0.zIndex?.rawValue } == [1, 5])
      #expect(report.findings.first?.column == "value")
      #expect(!report.isSound)
    }
  }
}
