// expected: is unavailable: select values of the same type
import Foundation
import MagicQuery

let texts = MagicQuery(Person.self).select(\.$name)
let query = MagicQuery(Person.self).where { $0.$age.in(texts) }
