// expected: cannot convert
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).where(\Pet.$age > 3)
