// expected: has no (dynamic )?member .[$]nmae.
import Foundation
import MagicQuery

func find(_ store: MagicObjectStore) throws {
  _ = try store.query(Person.self).order(by: \.$nmae).limit(3).all()
}
