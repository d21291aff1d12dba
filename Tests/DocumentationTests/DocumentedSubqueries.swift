import Foundation
import MagicData
import Testing

/// The examples of queries in queries.
@Suite struct DocumentedSubqueries {
  @Test func queriesAreValuesOfOtherQueries() async throws {
    let magic = try await MagicData(type: .temporary)
    let sale = Sale()
    sale.customer = "Ada"
    for price in [2.0, 4, 9] {
      let item = Item()
      item.price = price
      sale.items.append(item)
    }
    try await magic.update(sale)
    let (ada, bob) = (Person(name: "Ada"), Person(name: "Bob"))
    (ada.age, bob.age) = (36, 12)
    let mix = Playlist()
    mix.name = "Mix"
    mix.owner = bob
    try await magic.update(ada, bob, mix)

    let items = MagicQuery(Item.self)

    // The items that cost more than the average.
    let expensive = try await magic.query(Item.self)
      .where { $0.$price > items.average(\.$price) }
      .all()

    // The playlists of adults.
    let adults = MagicQuery(Person.self).where(\.$age >= 18)
    let theirs = try await magic.query(Playlist.self).where { $0.$owner.in(adults) }.all()

    // The people without a playlist, and the number of their purchases.
    let customers = try await magic.query(Person.self)
      .where { person in !MagicQuery(Playlist.self).exists { $0.$owner == person } }
      .select { person in
        (person.$name, MagicQuery(Sale.self).count { $0.$customer == person.$name.outer() })
      }
      .all()

    #expect(expensive.map(\.price) == [9])
    #expect(theirs.isEmpty)
    #expect(customers.count == 1 && customers[0] == ("Ada", 1))

    let buyers = try await magic.query(Person.self)
      .where { person in MagicQuery(Sale.self).exists { $0.$customer == person.$name.outer() } }
      .all()
    #expect(buyers.map(\.name) == ["Ada"])
  }
}
