// expected: is unavailable: the value is not of the type of the elements
import Foundation
import MagicQuery

struct Tagged: MagicObject {
  @MagicValue var tags: [String] = []

  init() {}
}

let query = MagicQuery(Tagged.self).where { $0.$tags.contains(7) }
