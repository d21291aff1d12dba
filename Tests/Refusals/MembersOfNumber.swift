// expected: is unavailable: only texts and collections have a count
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age.count == 1 }
