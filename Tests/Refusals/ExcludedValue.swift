// expected: conform to 'MagicalRelation'
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).excluding(\.$age)
