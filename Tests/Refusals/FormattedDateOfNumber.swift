// expected: no exact matches in call to instance method 'appendInterpolation'
import Foundation
import MagicQuery
import MagicStatements

let sql: MagicSQL = "SELECT \(date: \Person.$age, format: "%Y") FROM Person"
