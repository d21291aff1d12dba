import MagicData
import Testing

private struct BadRequest: Error {}

/// The examples of pages and of combined queries.
@Suite struct DocumentedPages {
  @Test func queriesAreCombinedAndReadByPages() async throws {
    let magic = try await MagicData(type: .temporary)
    let saved = ["Ada", "Ben", "Cleo"].map { Person(name: $0) }
    (saved[0].age, saved[1].age, saved[1].petName) = (36, 12, "Rex")
    try await magic.update(contentsOf: saved)

    let adults = MagicQuery(Person.self).where(\.$age >= 18)
    let oldest = MagicQuery(Person.self).order(by: \.$age, .descending).limit(10)

    let chosen = try await magic.query(Person.self)
      .where(\.$petName != nil)
      .union(oldest)
      .except(adults)
      .order(by: \.$name)
      .all()
    #expect(chosen.map(\.name) == ["Ben", "Cleo"])

    let people = magic.query(Person.self).order(by: \.$age, .descending).order(by: \.$name)
    let first = try await people.page(limit: 2)
    if let next = first.next {
      let second = try await people.page(after: next, limit: 2)
      print(second.objects.count, second.previous == next)  // 1 true
    }
    let second = try await people.page(after: first.next, limit: 2)
    #expect(second.objects.map(\.name) == ["Cleo"] && second.previous == first.next)

    // A cursor is a text, for the address of a page. A text that is no cursor is nil, which would be the first page.
    let address = "/people?after=\(first.next?.description ?? "")"
    guard let after = MagicCursor(String(address.dropFirst(14))) else { throw BadRequest() }
    let third = try await people.page(after: after, limit: 2)
    #expect(third.objects.map(\.name) == ["Cleo"])
  }
  @Test func aPageContinuesAtACursor() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: (0..<30).map { Person(name: "\($0)") })
    let people = magic.query(Person.self).order(by: \.$name)

    let first = try await people.page(limit: 20)
    if let next = first.next {
      print(try await people.page(after: next, limit: 20).objects)
    }
    #expect(first.objects.count == 20 && first.next != nil)
  }

  @Test func aCursorIsAText() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: (0..<30).map { Person(name: "\($0)") })
    let first = try await magic.query(Person.self).order(by: \.$name).page(limit: 20)
    let link = first.next?.description  // for the address of the next page
    #expect(link != nil && link.flatMap { MagicCursor($0) } == first.next)
  }
}
