// expected: cannot convert|conflicting arguments
import Foundation
import MagicQuery

func predicate(_ person: MagicPredicate<Person>, _ pet: MagicPredicate<Pet>) -> MagicPredicate<
  Person
> { person && pet }
