import Foundation
import MagicQuery

func control(_ store: MagicObjectStore, _ person: Person) throws {
  let query = MagicQuery(Person.self)
    .where(\.$age > 18 && \.$name == "x" && \.$nick == nil)
    .where { $0.$name.hasPrefix("x") && $0.$friends.contains { $0.$age > 4 } }
    .order(by: \.$name).limit(10).offset(5)
  _ = try store.query(query).where(\.$boss.$name == "y" && \.$boss == person).all()
  _ = try store.query(Person.self).where(\.$money == 3).select(\.$name, \.$age).all()
  try store.query(Pet.self).update(set: \.$age += 1)
  _ = try store.transaction { transaction in try transaction.query(Pet.self).count() }
}
