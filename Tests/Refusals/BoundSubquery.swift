// expected: is unavailable: pass a query for the type of the relationship
import Foundation
import MagicQuery
import MagicStore

func find(in store: MagicObjectStore) throws {
  let adults = store.query(Person.self).where(\.$age >= 18)
  _ = MagicQuery(Person.self).where { $0.$boss.in(adults) }
}
