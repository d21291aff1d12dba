// expected: conform to 'MagicText'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age.hasPrefix("1") }
