// expected: cannot convert value of type 'Pet' to expected argument type 'Person'
import MagicData

func insert(_ pet: Pet, into people: AsyncReverseMagicSet<Person>) throws { try people.insert(pet) }
