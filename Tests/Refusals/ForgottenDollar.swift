// expected: error: .subscript\(dynamicMember:\). is unavailable: write '\$' before the name of the property
import Foundation
import MagicQuery

func find(_ store: MagicObjectStore) throws {
  _ = try store.query(Person.self).where { $0.name == "x" && $0.nick == nil }.all()
}
