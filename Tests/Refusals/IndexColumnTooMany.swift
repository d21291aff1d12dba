// expected: requires the types 'MagicIndexEnd' and 'MagicIndexColumn<Int, Rest>' be equivalent
import Foundation
import MagicQuery

extension Person {
  static let byNameAndAge = MagicTypedIndex(\Person.$name, \Person.$age)
}

let query = MagicQuery(Person.self).using(\.byNameAndAge) { $0.equal("M").equal(3).equal(4) }
