import Foundation
import MagicQuery
import MagicStatements
import Testing

private enum Grade: String, Codable, Sendable { case captain, cook }

private struct Mate: Codable, Equatable, Sendable {
  var name: String
  var age: Int
  var rank: String?
}

private struct Graded: Decodable, Sendable {
  let name: String
  let rank: Grade?
}

private struct Dated: Decodable, Equatable, Sendable {
  let day: Date
  let id: UUID
  let isLate: Bool
}

private struct Total: Equatable, Sendable {
  var name = ""
  var years = 0
  var rank: String? = "none"
}

/// Rows as values of named types.
@Suite struct DecodedRowTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  private func error(_ sql: MagicSQL) throws -> MagicError? {
    #expect(throws: MagicError.self) { try fleet.store.sql(sql).rows(as: Mate.self) }
  }

  @Test func columnsAreReadByName() throws {
    let mates = try fleet.store.sql("SELECT rank, age, name FROM Sailor ORDER BY age").rows(
      as: Mate.self)
    #expect(
      mates == [
        Mate(name: "Bob", age: 25, rank: nil), Mate(name: "Ada", age: 36, rank: "captain"),
        Mate(name: "Cy", age: 41, rank: "cook"),
      ])
  }

  @Test func aDictionaryHasAllColumns() throws {
    let rows = try fleet.store.sql("SELECT age, 1 AS one FROM Sailor ORDER BY age LIMIT 1")
      .rows(as: [String: Int].self)
    #expect(rows == [["age": 25, "one": 1]])
  }

  @Test func everyColumnTypeAndEnumerationsAreDecoded() throws {
    let id = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 5.5)
    let rows = try fleet.store.sql("SELECT \(date) AS day, \(id) AS ID, \(true) AS isLate").rows(
      as: Dated.self)
    #expect(rows == [Dated(day: date, id: id, isLate: true)])
    let graded = try fleet.store.sql("SELECT name, rank FROM Sailor ORDER BY name").rows(
      as: Graded.self)
    #expect(graded.map(\.rank) == [.captain, nil, .cook])
  }

  @Test func nullInAPropertyThatIsNotOptionalNamesColumnAndType() throws {
    let error = try error("SELECT name, pay AS age, rank FROM Sailor")
    #expect(error?.code == .cannotDecode)
    #expect(
      error?.message
        == "Column age of row 1: the column holds NULL, not INTEGER, and Int is not optional, for "
        + "the property age of Mate.")
    #expect(error?.property == "age")
  }

  @Test func aMissingColumnIsAnErrorAlsoForAnOptionalProperty() throws {
    let error = try error("SELECT name, age FROM Sailor")
    #expect(error?.code == .invalidQuery)
    #expect(
      error?.message
        == "The result has no column for the property rank of Mate. Name the column with AS.")
  }

  @Test func twoColumnsOfOneNameAreAnError() throws {
    let error = try error("SELECT name, age, rank, name FROM Sailor")
    #expect(error?.code == .invalidQuery)
  }

  @Test func anUnknownRawValueIsAnErrorWithoutTheValue() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT name, 'secret' AS rank FROM Sailor").rows(as: Graded.self)
    }
    #expect(error?.code == .cannotDecode)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func aTypeWithoutNamedPropertiesIsRefused() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT name FROM Sailor").rows(as: [String].self)
    }
    #expect(error?.code == .invalidQuery)
  }

  @Test func anObjectIsNotDecoded() throws {
    let error = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT * FROM Sailor").rows(as: Sailor.self)
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.message.hasSuffix("Call objects(of:).") == true)
    #expect(error?.type == "Sailor")
  }

  @Test func columnsAreAssignedToKeyPaths() throws {
    let totals = try fleet.store.sql("SELECT age, name, rank FROM Sailor ORDER BY age").rows(
      into: Total(), \.years, \.name, \.rank)
    #expect(totals.first == Total(name: "Bob", years: 25, rank: nil))
    #expect(totals.count == 3)
    let wrong = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT age FROM Sailor").rows(into: Total(), \.years, \.name)
    }
    #expect(wrong?.code == .invalidQuery)
    let null = #expect(throws: MagicError.self) {
      try fleet.store.sql("SELECT rank FROM Sailor ORDER BY age").rows(into: Total(), \.name)
    }
    #expect(null?.code == .cannotDecode)
  }
}
