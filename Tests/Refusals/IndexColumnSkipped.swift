// expected: cannot convert value of type 'Int' to expected argument type 'String'
import Foundation
import MagicQuery

extension Person {
  static let byNameAndAge = MagicTypedIndex(\Person.$name, \Person.$age)
}

let query = MagicQuery(Person.self).using(\.byNameAndAge) { $0.equal(3) }
