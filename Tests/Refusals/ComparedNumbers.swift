// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

func isLess(
  _ price: MagicExpression<Person, Double>, _ count: MagicExpression<Person, Int>
) -> MagicPredicate<Person> { price < count }
