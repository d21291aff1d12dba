// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$name == 3 }
