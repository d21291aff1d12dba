// expected: operator function '<' requires the types 'Double' and 'Int' be equivalent
import Foundation
import MagicQuery

func isLess(
  _ price: MagicExpression<Person, Double>, _ count: MagicExpression<Person, Int>
) -> MagicPredicate<Person> { price < count }
