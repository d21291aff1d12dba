// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age + 1.5 > 3 }
