// expected: binary operator '\+' cannot be applied to operands of type 'MagicExpression<Person, String>' and 'Int'
import Foundation
import MagicQuery

func sum(_ name: MagicExpression<Person, String>) -> MagicExpression<Person, String> { name + 1 }
