// expected: conform to 'MagicMembers'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age.count == 1 }
