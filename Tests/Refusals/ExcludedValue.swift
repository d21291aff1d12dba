// expected: MagicField<Int>
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).excluding(\.$age)
