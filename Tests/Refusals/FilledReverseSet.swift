// expected: cannot convert value of type 'Person' to expected element type
import Foundation
import MagicQuery

func fill(_ person: Person) -> AsyncReverseMagicSet<Person> { [person] }
