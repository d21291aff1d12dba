import MagicData
import Testing

struct Guest: MagicObject {
  @MagicValue(.compared(.localized("de")), .indexed) var name: String
  @MagicValue(.compared(.caseInsensitive), .unique) var mail: String
  @MagicValue var city: String = ""

  init() {}

  init(name: String, mail: String) {
    self.name = name
    self.mail = mail
  }
}

/// The examples of collations.
@Suite struct DocumentedCollations {
  private func database() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    for (name, city) in [("Zoe", "Öbro"), ("ada", "Zoo"), ("Éva", "åre")] {
      let guest = Guest(name: name, mail: "\(name)@example.org")
      guest.city = city
      try await magic.update(guest)
    }
    return magic
  }

  @Test func aColumnHasACollation() async throws {
    let magic = try await database()

    let guests = magic.query(Guest.self)
    let names = try await guests.order(by: \.$name).all().map(\.name)  // ada, Éva, Zoe

    let ada = try await guests.where(\.$mail == "ADA@example.org").first()

    #expect(names == ["ada", "Éva", "Zoe"])
    #expect(ada?.name == "ada")
  }

  @Test func aQueryHasACollation() async throws {
    let magic = try await database()
    let guests = magic.query(Guest.self)

    let sorted = try await guests.order(by: \.$city, .localized).all()

    let swedish =
      try await guests
      .order { $0.$city.compared(.localized("sv")) }
      .all()

    #expect(sorted.count == 3)
    #expect(swedish.map(\.city) == ["Zoo", "åre", "Öbro"])
  }

  @Test func predicatesIgnoreTheCaseOfAllLetters() async throws {
    let magic = try await database()
    let guests = magic.query(Guest.self)

    let eva = try await guests.where { $0.$name.equals("ÉVA", .caseInsensitive) }.all()

    let some = try await guests.where { $0.$name.contains("év", .caseInsensitive) }.all()

    #expect(eva.map(\.name) == ["Éva"])
    #expect(some.map(\.name) == ["Éva"])
  }
}
