// expected: cannot convert value of type 'MagicExpression<Person, Int>'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$age == "x" as String }
