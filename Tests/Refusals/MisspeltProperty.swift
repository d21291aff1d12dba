// expected: has no dynamic member .[$]nmae.
import Foundation
import MagicQuery

func find(_ store: MagicObjectStore) throws {
  _ = try store.query(Person.self).where { $0.$nmae == "x" }.order(by: \.$age).all()
}
