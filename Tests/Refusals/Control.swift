import Foundation
import MagicQuery

func control(_ store: MagicObjectStore, _ person: Person) throws {
  let query = MagicQuery(Person.self)
    .where(\.$age > 18 && \.$name == "x" && \.$nick == nil)
    .where { $0.$name.hasPrefix("x") && $0.$friends.contains { $0.$age > 4 } }
    .order(by: \.$name).limit(10).offset(5)
  _ = try query.bound(to: store).where(\.$boss.$name == "y" && \.$boss == person).all()
  _ = try store.query(Person.self).where(\.$money == 3).select(\.$name, \.$age).all()
  try store.query(Pet.self).update(set: \.$age += 1)
  _ = try store.transaction { transaction in try transaction.query(Pet.self).count() }
  _ = try store.transaction { try query.bound(to: $0).count() }
  _ = try store.read { try query.bound(to: $0).count() }
}

struct Seat: MagicObject {
  @MagicValue var row = 0
  @MagicValue var number = 0
  init() {}

  static var indexes: [MagicIndex<Seat>] {
    [MagicIndex(\.$number, .unique), MagicIndex(\.$row, \.$number, isUnique: true)]
  }

  static var key: MagicKey<Self> { MagicKey(\.$row, \.$number) }
}

func members(_ set: AsyncReverseMagicSet<Person>?) -> AsyncReverseMagicSet<Person> { set ?? [] }

// The name of another library's method can be given to a method of one's own.
extension MagicObjectStore {
  func save(_ person: Person) throws { try update(person) }
}

func save(_ store: MagicObjectStore, _ person: Person) throws { try store.save(person) }
