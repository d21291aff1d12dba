import Foundation
import MagicData
import Testing

struct Attendee: MagicObject {
  @MagicValue var name: String
  @MagicValue var age: Int = 0

  static let byNameAndAge = MagicTypedIndex(\Attendee.$name, \Attendee.$age)
  static var indexes: [MagicIndex<Attendee>] { [byNameAndAge.index] }

  init() {}
}

/// Sections, live reads, and reads through indexes.
@Suite struct DocumentedReads {
  @Test func objectsAreReadInSections() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: [Person(name: "Ada"), Person(name: "Alan")])

    let sections = magic.query(Person.self).order(by: \.$name).sectioned(by: \.$age)
    for section in try await sections.all() { print(section.key, section.objects.count) }

    #expect(try await sections.count().map(\.count) == [2])
  }

  @Test func readsAreFollowed() async throws {
    let magic = try await MagicData(type: .temporary)
    let counted = Task {
      let adults = magic.query(Person.self).where(\.$age >= 18)
      for try await count in adults.values({ try $0.count() }) { print(count) }
    }
    let perAge = magic.query(Person.self).grouped(by: \.$age).values { try $0.count() }
    let sections = magic.query(Person.self).sectioned(by: \.$age).values()
    let oldest = magic.sql("SELECT max(age) FROM Person").values { try $0.value(Int.self) }

    try await magic.update(Person(name: "Ada"))
    for try await groups in perAge {
      #expect(groups.count == 1)
      break
    }
    for try await sections in sections {
      #expect(sections.map(\.objects.count) == [1])
      break
    }
    for try await age in oldest {
      #expect(age != nil)
      break
    }
    counted.cancel()
    try await counted.value
  }

  @Test func anIndexIsRead() async throws {
    let magic = try await MagicData(type: .temporary)
    let visitor = Attendee()
    visitor.name = "Ada"
    visitor.age = 20
    try await magic.update(visitor)

    let adas = try await magic.query(Attendee.self)
      .using(\.byNameAndAge) { $0.equal("Ada").atLeast(18) }
      .limit(10)
      .all()
    let last = try await magic.query(Attendee.self).using(\.byNameAndAge, .descending).first()

    #expect(adas.map(\.age) == [20])
    #expect(last?.name == "Ada")
  }
}
