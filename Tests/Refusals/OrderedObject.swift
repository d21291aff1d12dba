// expected: conform to 'MagicalOrdered'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).order(by: \.$boss)
