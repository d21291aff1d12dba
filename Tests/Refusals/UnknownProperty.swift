// expected: has no dynamic member .[$]size.
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where { $0.$size == 1 }
