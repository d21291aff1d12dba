// expected: is unavailable: expressions have no such method; texts have hasPrefix
import Foundation
import MagicQuery

func find(_ store: MagicObjectStore) throws {
  _ = try store.query(Person.self).where { $0.$name.startsWith("x") }.all()
}
