// expected: cannot convert|conflicting arguments
import Foundation
import MagicQuery

func set(_ store: MagicObjectStore) throws {
  try store.query(Person.self).update(set: \Person.$age, to: "x" as String)
}
