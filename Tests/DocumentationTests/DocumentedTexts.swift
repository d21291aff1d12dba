import Foundation
import MagicData
import Testing

/// The examples of predicates as text.
@Suite struct DocumentedTexts {
  private func database() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    let people = ["Ada", "Bob", "Amy"].map { Person(name: $0) }
    for (index, person) in people.enumerated() { person.age = 20 * (index + 1) }
    try await magic.update(contentsOf: people)
    return magic
  }

  @Test func aQueryHasATextAndAnOrder() async throws {
    let magic = try await database()

    let letter = "A"
    let searched = try await magic.query(Person.self)
      .where(text: "age > 3 AND name BEGINSWITH $0", letter)
      .where(\.$petName == nil)
      .order(text: "age DESC, name")
      .all()

    #expect(searched.map(\.name) == ["Amy", "Ada"])
    try await found(magic)
    try await ordered(magic)
    await magic.close()
  }

  private func found(_ magic: MagicData) async throws {
    let people = try await magic.query(Person.self)
      .where(text: "age > 3 AND name BEGINSWITH $0", "A")
      .all()

    #expect(people.count == 2)
  }

  private func ordered(_ magic: MagicData) async throws {
    let people = try await magic.query(Person.self).order(text: "age DESC, name").all()

    #expect(people.map(\.name) == ["Amy", "Bob", "Ada"])
  }

  @Test func aPredicateIsPrintedAndEncoded() async throws {
    let magic = try await database()

    do {
      let adults = try MagicPredicate<Person>(text: "age >= $limit", named: ["limit": 18])
      print(adults)  // age >= 18
      let saved = try JSONEncoder().encode(adults)
      let loaded = try JSONDecoder().decode(MagicPredicate<Person>.self, from: saved)
      print(try await magic.query(Person.self).where(loaded).count())
    } catch let error as MagicError {
      print(error.textError?.position ?? 0, error.message)
    }

    let adults = try MagicPredicate<Person>(text: "age >= $limit", named: ["limit": 18])
    print(adults)  // age >= 18

    #expect(adults.description == "age >= 18")

    let data = try JSONEncoder().encode(MagicPredicate<Person>(text: "age > 3"))
    let saved = try JSONDecoder().decode(MagicPredicate<Person>.self, from: data)

    #expect(try await magic.query(Person.self).where(saved).count() == 3)
    await magic.close()
  }

  @Test func aMistakeHasAPosition() throws {
    do {
      _ = try MagicPredicate<Person>(text: "agee > 3")
    } catch let error as MagicError {
      print(error.textError?.position ?? 0)  // 0
    }

    #expect(throws: MagicError.self) { try MagicPredicate<Person>(text: "agee > 3") }
  }
}
