// expected: is unavailable: only numbers have a sum
import Foundation
import MagicQuery

func sum() {
  _ = MagicQuery(Person.self).select { $0.$name.sum(over: .all) }
}
