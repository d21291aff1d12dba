import Foundation
import MagicData
import MagicTestSupport
import Testing

@testable import CoreDataImport

/// The import into types of an app, which differ from the model.
@Suite struct CustomTypesTests {
  struct Human: MagicObject {
    @PrimaryMagicValue var key: String
    @MagicValue var fullName: String
    @OptionMagicValue var id: MagicUUID?
    @MagicValue var friends: [Human] = []
    @MagicValue(.indexed) var isActive: Bool = true

    init() {}
  }

  struct Purchase: MagicObject {
    static var tableName: String { "Order" }
    @PrimaryMagicValue(.rowID) var id: Int
    @MagicValue(.named("number")) var code: Int64
    @OptionMagicValue var total: Decimal?
    @MagicValue(.wasNamed("isPaid")) var paid: Int
    @OptionMagicValue var buyerHuman: Human?

    init() {}
  }

  private let store: ShopStore
  private let path: String
  private static let names = [
    "Person": "Human", "Person.name": "fullName", "Order.customer": "buyer",
  ]

  init() throws {
    store = try ShopStore()
    path = store.file("app.sqlite3")
  }

  @Test func typesDetermineNamesFormsAndSides() async throws {
    let types: [any MagicObject.Type] = [Human.self, Purchase.self]
    let plan = try await MagicData.importPlan(ofCoreData: store.path, as: types, names: Self.names)
    #expect(plan.refusals.isEmpty)
    #expect(plan.types.map(\.type) == ["Human", "Purchase"])
    #expect(plan.types.map(\.rows) == [3, 3])
    let properties = plan.types[1].properties.map { "\($0.source) → \($0.name)" }
    #expect(
      properties == [
        "number → code", "total → total", "isPaid → paid", "customer (Person) → buyerHuman",
      ])
    let losses = Set(plan.losses.map { $0.entity + ($0.property.map { ".\($0)" } ?? "") })
    #expect(
      losses.isSuperset(of: [
        "Category", "Company", "Line", "Product", "Tag", "Person.birthday", "Person.rank",
        "Order.discount", "Order.placed", "Order.lines", "Order.tags",
      ]))
    let reference = plan.losses.first { $0.property == "customer" && $0.rows != nil }
    #expect(reference?.rows == 1)

    try await MagicData.copy(
      from: .coreData(store.path, as: types, names: Self.names), to: .file(path))
    let magic = try await MagicData(path: path)
    let orders = try await magic.query(Purchase.self).order(by: \.$code).all()
    #expect(orders.map(\.id) == [7, 9, 11])
    #expect(orders.map(\.code) == [100, 101, 102])
    #expect(orders.map(\.paid) == [1, 0, 0])
    #expect(orders.map(\.buyerHuman?.fullName) == ["Ada", nil, nil])
    let people = try await magic.query(Human.self).order(by: \.$fullName).all()
    #expect(people.map(\.isActive) == [true, true, true])
    #expect(people[1].friends.map(\.fullName) == ["Ada", "Zoë"])
    #expect(Set(people.map(\.key)).count == 3)
    #expect(people[0].id?.uuid.uuidString == ShopStore.id1)
    await magic.close()

    // Another import gives the same keys.
    let second = store.file("second.sqlite3")
    try await MagicData.copy(
      from: .coreData(store.path, as: types, names: Self.names), to: .file(second))
    let again = try await MagicData(path: second)
    #expect(
      try await again.query(Human.self).order(by: \.$fullName).all().map(\.key)
        == people.map(\.key))
    await again.close()
  }

  // MARK: Relationships that are lost

  struct Customer: MagicObject {
    @MagicValue var name: String
    @MagicValue var orders: MagicalSet<Sale> = []

    init() {}
  }

  struct Firm: MagicObject {
    @MagicValue var name: String

    init() {}
  }

  struct Sale: MagicObject {
    @PrimaryMagicValue var number: Int

    init() {}
  }

  @Test func aRelationshipThatOneSubentityKeepsIsALossOfTheOther() async throws {
    let plan = try await MagicData.importPlan(
      ofCoreData: store.path, as: [Customer.self, Firm.self, Sale.self],
      names: ["Person": "Customer", "Company": "Firm", "Order": "Sale"])
    #expect(plan.refusals.isEmpty)
    let losses = plan.losses.filter { ["orders", "customer"].contains($0.property) }
    #expect(
      losses.map { "\($0.entity).\($0.property ?? ""): \($0.reason)" } == [
        "Company.orders: No type has a property for the relationship",
        "Order.customer: No type has a property for the references to objects of Company",
      ])
  }

  @Test func theOrderOfASymmetricRelationshipIsALoss() async throws {
    let entities = ShopStore.entities.map { entity in
      var entity = entity
      for index in entity.relationships.indices where entity.relationships[index].name == "friends"
      {
        entity.relationships[index].isOrdered = true
      }
      return entity
    }
    let ordered = try ShopStore(content: stored(ModelWriter(entities).archive()))
    for (store, expected) in [(store, 0), (ordered, 1)] {
      let plan = try await MagicData.importPlan(ofCoreData: store.path)
      let notes = plan.losses.filter { $0.entity == "Person" && $0.property == "friends" }
      #expect(notes.filter { $0.reason.contains("its own inverse") }.count == expected)
      #expect(notes.count == expected)
    }
  }

  // MARK: Refusals

  struct Ghost: MagicObject {
    @MagicValue var name: String

    init() {}
  }

  struct Tag: MagicObject {
    @MagicValue var label: Int
    @OptionMagicValue var orders: Tag?

    init() {}
  }

  struct Line: MagicObject {
    @MagicValue var product: Tag

    init() {}
  }

  struct Person: MagicObject {
    @MagicValue var name: String
    @MagicValue var birthday: Date

    init() {}
  }

  @Test func typesThatDoNotFitAreRefusedByName() async throws {
    let types: [any MagicObject.Type] = [Ghost.self, Tag.self, Line.self, Person.self]
    let plan = try await MagicData.importPlan(ofCoreData: store.path, as: types)
    #expect(
      Set(plan.refusals.map { $0.entity + ($0.property.map { ".\($0)" } ?? "") }) == [
        "Ghost", "Tag.label", "Tag.orders", "Line.product", "Person.birthday",
      ])
    #expect(plan.refusals.first { $0.property == "birthday" }?.rows == 1)
    await #expect {
      try await MagicData.copy(from: .coreData(store.path, as: types), to: .file(path))
    } throws: { ($0 as? MagicError)?.code == .invalidSchema }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func namesThatDoNotExistAreRefused() async throws {
    let plan = try await MagicData.importPlan(
      ofCoreData: store.path, names: ["Person.nme": "name", "Persn": "Human"])
    #expect(plan.refusals.map(\.entity) == ["Persn", "Person.nme"])
  }

  @Test func aTypeThatTwoEntitiesWouldHaveIsRefused() async throws {
    let plan = try await MagicData.importPlan(ofCoreData: store.path, names: ["Person": "Tag"])
    #expect(plan.refusals.map(\.reason) == ["Another type has the same table"])
  }

  @Test func aStoreIsNoDestination() async throws {
    let source = store.file("empty.sqlite3")
    try await MagicData(path: source).close()
    await #expect {
      try await MagicData.copy(from: .file(source), to: .coreData(path))
    } throws: { [.unsupported, .notADatabase].contains(($0 as? MagicError)?.code) }
  }
}
