// expected: cannot convert value of type 'MagicExpression<Person, Int>' to expected argument type 'MagicExpression<Person, Double>'
import Foundation
import MagicQuery

func product(
  _ price: MagicExpression<Person, Double>, _ count: MagicExpression<Person, Int>
) -> MagicExpression<Person, Double> { price * count }
