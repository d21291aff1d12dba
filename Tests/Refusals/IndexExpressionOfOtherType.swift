// expected: cannot convert
import MagicQuery

let index = MagicIndex<Person> { (row: MagicRow<Pet>) in row.$name }
