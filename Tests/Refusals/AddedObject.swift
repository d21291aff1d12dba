// expected: 'add' has been renamed to 'update\(_:\)'
import Foundation
import MagicQuery

func add(_ store: MagicObjectStore, _ person: Person) throws {
  try store.transaction { try $0.add(person) }
}
