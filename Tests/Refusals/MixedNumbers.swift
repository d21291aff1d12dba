// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

func product(
  _ price: MagicExpression<Person, Double>, _ count: MagicExpression<Person, Int>
) -> MagicExpression<Person, Double> { price * count }
