// expected: requires the types '\[Person\]' and 'MagicalSet<Person>' be equivalent
import MagicData

func insert(_ person: Person, into people: AsyncMagical<[Person]>) { people.insert(person) }
