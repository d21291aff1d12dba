// expected: expected argument type 'KeyPath<Pet.Type
import Foundation
import MagicQuery

extension Person {
  static let byNameAndAge = MagicTypedIndex(\Person.$name, \Person.$age)
}

let query = MagicQuery(Pet.self).using(\Person.Type.byNameAndAge) { $0.equal("M") }
