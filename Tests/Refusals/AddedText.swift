// expected: conform to .(Sequence|MagicalNumeric).
import Foundation
import MagicQuery

func sum(_ name: MagicExpression<Person, String>) -> MagicExpression<Person, String> { name + "x" }
