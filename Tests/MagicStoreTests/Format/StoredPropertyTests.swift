import EngineConformance
import Foundation
import MagicAssets
import MagicAsync
import MagicRelations
import MagicSQLite
import MagicStore
import MagicTestSupport
import Magical
import SQLiteTables
import Testing

private enum Color: String, Magical, CaseIterable {
  case red, green
}

private enum Grade: Int, MagicalCodable, CaseIterable {
  case pass = 1
  case fail = -1
}

private enum Unlisted: String, Magical {
  case one
}

private struct Celsius: Magical {
  var storedValue: Double
}

private struct Packed: Magical {
  var storedValue: Data
}

private struct Job: MagicalCodable {
  var title: String
}

private struct Person: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue(.named("full_name")) var name = ""
  @MagicValue var age = 0
  @MagicValue var small: UInt8 = 0
  @MagicValue var height = 0.0
  @MagicValue var weight: Float = 0
  @MagicValue var isActive = false
  @MagicValue var born = Date(timeIntervalSince1970: 0)
  @OptionMagicValue var page: URL?
  @MagicValue var balance: Decimal = 0
  @MagicValue var pause: Duration = .zero
  @MagicValue var initial: Character = "a"
  @MagicValue var width: CGFloat = 0
  @MagicValue var birthday = DateComponents()
  @MagicValue var shift = 8..<17
  @MagicValue var photo = Data()
  @MagicValue var bytes: [UInt8] = []
  @MagicValue var tags: [String] = []
  @MagicValue var lucky: Set<Int> = []
  @MagicValue var scores: [String: Int] = [:]
  @MagicValue var color = Color.red
  @OptionMagicValue var grade: Grade?
  @MagicValue var unlisted = Unlisted.one
  @MagicValue var warmth = Celsius(storedValue: 0)
  @MagicValue var packed = Packed(storedValue: Data())
  @MagicValue var job = Job(title: "")
  @OptionMagicValue var boss: Person?
  @MagicValue var friends: [Person] = []
  @MagicValue(.named("pals")) var set: MagicalSet<Person> = []
  @MagicValue var byDay: [Date: Person] = [:]
  @ReverseMagicValue(\Person.$boss) var reports: AsyncReverseMagicSet<Person>
  @OptionMagicValue var picture: MagicAsset<Data>?

  init() {}
}

/// `magic_columns` describes the properties of each type.
@Suite struct StoredPropertyTests {
  let scratch = Scratch()

  private func properties(of table: String = "Person") throws -> [String: StoredProperty] {
    let raw = try scratch.raw()
    defer { raw.close() }
    let list = try Catalogue(connection: raw).properties(of: table)
    return Dictionary(list.map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func eachPropertyHasItsForm() throws {
    try scratch.using { try $0.update(Person()) }
    let properties = try properties()
    let values: [String: ValueForm] = [
      "id": .uuid, "name": .text, "age": .integer, "small": .integer, "height": .real,
      "weight": .real, "isActive": .bool, "born": .date, "page": .url, "balance": .decimal,
      "pause": .duration, "initial": .text, "width": .real, "birthday": .json, "shift": .json,
      "photo": .data, "bytes": .data, "tags": .json, "lucky": .json, "scores": .json,
      "color": .enumeration, "grade": .enumeration, "unlisted": .text, "warmth": .real,
      "packed": .data, "job": .json, "picture": .asset,
    ]
    for (name, form) in values { #expect(properties[name]?.form == .value(form), "\(name)") }
    #expect(properties["boss"]?.form == .one)
    #expect(properties["friends"]?.form == .collection(.list))
    #expect(properties["set"]?.form == .collection(.set))
    #expect(properties["byDay"]?.form == .collection(.dictionary))
    #expect(properties["reports"]?.form == .inverse)
    #expect(properties.count == values.count + 5)
  }

  @Test func namesTypesAndDetailsAreStored() throws {
    try scratch.using { try $0.update(Person()) }
    let properties = try properties()
    #expect(properties["name"]?.column == "full_name")
    #expect(properties["set"]?.column == "pals")
    #expect(properties["reports"]?.column == nil)
    #expect(properties["page"]?.swiftType == "URL")
    #expect(properties["tags"]?.swiftType == "Array<String>")
    #expect(properties["color"]?.swiftType == "Color")
    #expect(properties["color"]?.details.cases == [.text("red"), .text("green")])
    #expect(properties["grade"]?.details.cases == [.integer(1), .integer(-1)])
    #expect(properties["unlisted"]?.details.cases == nil)
    #expect(properties["byDay"]?.details.keys == "date")
    #expect(properties["reports"]?.details.table == "Person")
    #expect(properties["reports"]?.details.property == "boss")
  }

  @Test func theFormHasTheStorageClassOfTheColumn() throws {
    try scratch.using { try $0.update(Person()) }
    let raw = try scratch.raw()
    defer { raw.close() }
    for property in try properties().values {
      guard case .value(let form) = property.form, let expected = form.storageClass else {
        continue
      }
      let type = try raw.texts(
        "SELECT type FROM pragma_table_info('Person') WHERE name = '\(property.column!)'")
      #expect(type == [expected == .real ? "" : expected.rawValue], "\(property.property)")
    }
  }

  private enum Before {
    enum Size: String, Magical, CaseIterable {
      case small, large
    }

    struct Shirt: MagicObject {
      @MagicValue var size = Size.small

      init() {}
    }
  }

  private enum After {
    enum Size: String, Magical, CaseIterable {
      case small, medium, large
    }

    struct Shirt: MagicObject {
      @MagicValue var size = Size.small

      init() {}
    }
  }

  @Test func aDescriptionThatChangedIsReplacedByTheNextWriteAndNotByARead() throws {
    try scratch.using { try $0.update(Before.Shirt()) }
    let before = try properties(of: "Shirt")
    #expect(before["size"]?.details.cases?.count == 2)
    try scratch.using { _ = try $0.object(of: After.Shirt.self) }
    #expect(try properties(of: "Shirt") == before)
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: After.Shirt.self).steps.isEmpty)
      try store.update(After.Shirt())
    }
    #expect(
      try properties(of: "Shirt")["size"]?.details.cases
        == [.text("small"), .text("medium"), .text("large")])
  }

  /// Existing exports have these keys.
  @Test func theKeysInAnExportAreFixed() throws {
    let text = #"""
      [{"column":"c","details":"{}","form":"text","name":"p","swiftType":"String"},\#
      {"form":"inverse","name":"q","swiftType":"Team"}]
      """#
    let properties = try JSONDecoder().decode([StoredProperty].self, from: Data(text.utf8))
    #expect(
      properties == [
        StoredProperty(
          property: "p", column: "c", swiftType: "String", formText: "text", detailsText: "{}"),
        StoredProperty(
          property: "q", column: nil, swiftType: "Team", formText: "inverse", detailsText: nil),
      ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(properties), as: UTF8.self) == text)
  }

  @Test func aFormOfALaterVersionIsReadAsUnknown() throws {
    try scratch.using { try $0.update(Person()) }
    try scratch.change(
      "UPDATE magic_columns SET form = 'hologram', details = '[1]' WHERE property = 'age'")
    let age = try #require(try properties()["age"])
    #expect(age.form == nil)
    #expect(age.details.cases == nil)
    let count = try scratch.using { try $0.object(of: Person.self).count }
    #expect(count == 1)
  }

  static let faults: [(sql: String, message: String)] = [
    (
      "UPDATE magic_columns SET column_name = 'years' WHERE property = 'age'",
      "Person.years: The described column does not exist."
    ),
    (
      "UPDATE magic_columns SET form = 'uuid' WHERE property = 'age'",
      "Person.age: The column has another type than the described form."
    ),
    (
      "DELETE FROM magic_columns WHERE property = 'age'",
      "Person: The description differs from its fingerprint."
    ),
    (
      "UPDATE magic_columns SET form = 'set' WHERE property = 'friends'",
      "Person.friends: The described collection does not exist."
    ),
    (
      "UPDATE magic_columns SET form = 'one' WHERE property = 'age'",
      "Person.age: The described relationship does not exist."
    ),
    (
      "UPDATE magic_columns SET table_name = 'Unknown' WHERE property = 'age'",
      "Unknown: The described table does not exist."
    ),
  ]

  @Test(arguments: faults) func verifyFindsAWrongDescriptionAndRepairReplacesIt(
    _ fault: (sql: String, message: String)
  ) throws {
    try scratch.using { try $0.update(Person()) }
    let before = try properties()
    try scratch.change(fault.sql)
    try scratch.using { store throws in
      let found = try store.verify().findings
      #expect(found.contains { $0.description == "wrongDescription: \(fault.message)" })
      #expect(found.allSatisfy { $0.kind == .wrongDescription })
      #expect(try store.repair().findings == found)
      #expect(try store.verify().findings == [])
    }
    try scratch.using { try $0.update(Person()) }
    #expect(try properties() == before)
  }
}
