// expected: requires that 'Decimal' conform to 'MagicalOrdered'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).order(by: \.$money)
