// expected: value of type .MagicQuery<Person, MagicObjectStore>. has no member 'filter'
import Foundation
import MagicQuery

func find(_ store: MagicObjectStore) throws {
  _ = try store.query(Person.self).filter { $0.$name == "x" }.all()
}
