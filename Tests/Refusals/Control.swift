import Foundation
import MagicQuery

struct Person: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var money: Decimal = 0
  @OptionMagicValue var nick: String?
  @OptionMagicValue var boss: Person?
  @MagicValue var friends: [Person] = []

  init() {}
}

struct Pet: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @OptionMagicValue var owner: Person?

  init() {}
}

func control(_ store: ObjectStore, _ person: Person) throws {
  let query = MagicQuery(Person.self)
    .where(\.$age > 18 && \.$name == "x" && \.$nick == nil)
    .where { $0.$name.hasPrefix("x") && $0.$friends.contains { $0.$age > 4 } }
    .order(by: \.$name).limit(10).offset(5)
  _ = try store.query(query).where(\.$boss.$name == "y" && \.$boss == person).all()
  _ = try store.query(Person.self).where(\.$money == 3).select(\.$name, \.$age).all()
  try store.query(Pet.self).update(set: \.$age += 1)
  _ = try store.transaction { transaction in try transaction.query(Pet.self).count() }
}
