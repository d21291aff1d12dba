// expected: cannot convert value of type 'Int' to expected argument type 'Array<String>.Element'
import Foundation
import MagicQuery

struct Tagged: MagicObject {
  @MagicValue var tags: [String] = []

  init() {}
}

let query = MagicQuery(Tagged.self).where { $0.$tags.contains(7) }
