// expected: is unavailable: pass a query of the same type that is not bound to a database
import Foundation
import MagicJoins
import MagicQuery
import MagicStore

func find(in store: MagicObjectStore) throws {
  let adults = store.query(Person.self).where(\.$age >= 18)
  _ = store.query(Person.self).union(adults)
}
