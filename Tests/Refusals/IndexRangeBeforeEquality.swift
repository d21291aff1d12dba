// expected: 'MagicIndexRange<Person>' has no member 'equal'
import Foundation
import MagicQuery

extension Person {
  static let byNameAndAge = MagicTypedIndex(\Person.$name, \Person.$age)
}

let query = MagicQuery(Person.self).using(\.byNameAndAge) { $0.greater(than: "M").equal(3) }
