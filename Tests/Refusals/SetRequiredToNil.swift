// expected: nil
import Foundation
import MagicQuery

func set(_ store: MagicObjectStore) throws {
  try store.query(Person.self).update(set: \Person.$age, to: nil)
}
