// expected: is unavailable: pass a selection with rows of the same type
import Foundation
import MagicJoins
import MagicQuery
import MagicStore

func find(in store: MagicObjectStore) throws {
  let names = store.query(Person.self).select(\.$name)
  _ = names.except(store.query(Person.self).select(\.$name))
}
