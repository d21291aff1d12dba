// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where(\.$age > 2.5)
