// expected: cannot convert value of type
import MagicQuery

let index = MagicIndex(\Person.$age, where: { $0.$name })
