// expected: conflicting arguments to generic parameter 'B' \('Int' vs. 'Double'\)
import Foundation
import MagicQuery

struct Entry {
  var name: String
  var age: Double
}

let query = MagicQuery(Person.self).select(into: Entry.init) { ($0.$name, $0.$age) }
