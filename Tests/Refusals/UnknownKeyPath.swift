// expected: has no member .[$]size.
import Foundation
import MagicQuery

let query = MagicQuery(Person.self).order(by: \Person.$size)
