// expected: requires that 'Decimal' conform to 'MagicalOrdered'
import Foundation
import MagicQuery

let row: (MagicExpression<Person, Decimal>) -> MagicPredicate<Person> = { $0 < Decimal(3) }
