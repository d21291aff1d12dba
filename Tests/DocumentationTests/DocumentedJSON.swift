import Foundation
import MagicData
import Testing

/// The examples of queries of JSON.
@Suite struct DocumentedJSON {
  @Test func queriesReadJSON() async throws {
    let magic = try await MagicData(type: .temporary)
    let (first, second) = (Worker(), Worker())
    first.skills = ["Swift", "SQL"]
    first.job = Job(title: "Engineer", salary: 100)
    second.job = Job(title: "Engineer", salary: 120)
    try await magic.update(contentsOf: [first, second])

    let skilled = try await magic.query(Worker.self)
      .where { $0.$skills.contains("Swift") && $0.$skills.count > 1 }
      .all()
    let engineers = try await magic.query(Worker.self)
      .where { $0.$job[json: "title", as: String.self] == "Engineer" }
      .order(.descending) { $0.$job[json: "salary", as: Int.self] }
      .all()

    #expect(skilled.map(\.number) == [first.number])
    #expect(engineers.map(\.number) == [second.number, first.number])

    let workers = magic.query(Worker.self)

    let named = try await workers.where { $0.$skills.contains("Swift") }.count()
    #expect(named == 1)

    let quick = try await magic.query(Worker.self)
      .where { $0.$skills.contains { $0.hasPrefix("S") } && $0.$skills.allSatisfy { $0.count < 9 } }
      .all()
    #expect(quick.map(\.number) == [first.number])

    let found = try await workers.where { $0.$skills.contains { $0.hasPrefix("Sw") } }.count()
    #expect(found == 1)
  }

  @Test func aQueryIsIndexed() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Person(name: "Ada"))

    #expect(try await magic.query(Person.self).where(\.$id == "Ada").isIndexed)

    #expect(try await !magic.query(Person.self).where(\.$age == 1).isIndexed)
  }
}
