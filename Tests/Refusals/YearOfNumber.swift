// expected: conform to 'MagicDate'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age.year == 1 }
