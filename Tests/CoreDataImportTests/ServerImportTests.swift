import Foundation
import MagicData
import MagicDataPostgres
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// The import of a store to a server.
@Suite(.requiresPostgreSQL) struct ServerImportTests {
  private let store: ShopStore
  private let information: String
  private let schema = "test \(UUID().uuidString)"

  init() throws {
    store = try ShopStore()
    information = try PostgreSQLServer.shared.get().information
  }

  private static let types: [any MagicObject.Type] = [
    Category.self, Company.self, Line.self, Order.self, Person.self, Product.self, Tag.self,
  ]

  private var server: MagicDatabaseLocation { .postgres(information, schema: schema) }

  private func open() async throws -> MagicData {
    try await MagicData(postgres: information, options: PostgresOptions(schema: schema))
  }

  @Test func everyValueArrivesOnAServer() async throws {
    let summary = try await MagicData.copy(from: .coreData(store.path), to: server)
    let file = try await MagicData.copy(
      from: .coreData(store.path), to: .file(store.file("shop.sqlite3")))
    #expect(summary.tables == file.tables && summary.members == file.members)
    #expect(summary.rows == 18 && summary.assets == 2)

    let magic = try await open()
    #expect(try await magic.migrationPlan(for: Self.types).isEmpty)
    let orders = try await magic.query(Order.self).order(by: \.$number).all()
    #expect(orders.map(\.zIndex?.rawValue) == [7, 9, 11])
    #expect(orders.map(\.total) == [Decimal(string: "12.34"), 5, nil])
    #expect(orders.map(\.customerPerson?.name) == ["Ada", nil, nil])
    #expect(orders[0].lines.map(\.quantity) == [6, 1, 5])
    #expect(Set(orders[0].tags.map(\.label)) == ["new", "hot"])
    let people = try await magic.query(Person.self).order(by: \.$name).all()
    #expect(people.map(\.id.uuidString).first == ShopStore.id1)
    #expect(people.map(\.birthday?.timeIntervalSinceReferenceDate) == [-12_345.5, nil, 0])
    #expect(people.map { Set($0.friends.map(\.name)) } == [["Grace"], ["Ada", "Zoë"], ["Grace"]])
    let products = try await magic.query(Product.self).order(by: \.$sku).all()
    #expect(products.map(\.picture?.value) == [Data([7, 8, 9]), nil, Data(ShopStore.picture)])
    await magic.close()
  }

  @Test func aSchemaThatIsNotEmptyIsRefused() async throws {
    let magic = try await open()
    let tag = Tag()
    tag.label = "old"
    try await magic.update(tag)
    await #expect {
      try await MagicData.copy(from: .coreData(store.path), to: server)
    } throws: {
      ($0 as? MagicError)?.code == .tableConflict
    }
    #expect(try await magic.query(Tag.self).all().map(\.label) == ["old"])
    await magic.close()
  }
}
