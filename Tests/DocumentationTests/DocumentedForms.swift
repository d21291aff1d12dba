import MagicData
import Testing

/// The examples of objects in selections, combinations of rows, elements of JSON and percentiles.
@Suite struct DocumentedForms {
  @Test func medianAndPercentilesAreAggregates() async throws {
    let magic = try await MagicData(type: .temporary)
    for price in [1.0, 2, 3] {
      let item = Item()
      item.price = price
      try await magic.update(item)
    }

    let prices = try await magic.query(Item.self)
      .grouped(by: \.$category)
      .select { ($0.median(\.$price), $0.percentile(0.9, \.$price)) }
      .all()
    let items = MagicQuery(Item.self)
    let expensive = try await magic.query(Item.self)
      .where { $0.$price > items.median(\.$price) }
      .count()

    #expect(prices.map(\.values.0) == [2] && prices.map(\.values.1) == [2.8])
    #expect(expensive == 1)
  }

  @Test func objectsAreKeysAndSelectedValues() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    for name in ["Morning", "Evening"] {
      let playlist = Playlist()
      (playlist.name, playlist.owner) = (name, ada)
      try await magic.update(playlist)
    }

    let owners = try await magic.query(Playlist.self)
      .grouped(by: \.$owner)
      .order(.descending) { $0.count }
      .count()  // [(key: Person, count: Int)]
    let ranked = try await magic.query(Person.self)
      .select { ($0.object, $0.rank(over: .order(by: $0.$age, .descending))) }
      .all()  // [(Person, Int)]

    #expect(owners.map(\.key.name) == ["Ada"] && owners.map(\.count) == [2])
    #expect(ranked.map(\.0.name) == ["Ada"] && ranked.map(\.1) == [1])
  }

  @Test func rowsMatchOtherRows() async throws {
    let magic = try await MagicData(type: .temporary)
    let (boss, ann, eve) = (Colleague(), Colleague(), Colleague())
    (boss.name, boss.pay) = ("Boss", 5)
    (ann.name, ann.pay, ann.manager) = ("Ann", 7, boss)
    (eve.name, eve.pay, eve.manager) = ("Eve", 5, ann)
    try await magic.update(eve)
    for customer in ["Ada", "Ada", "Zoe"] {
      let sale = Sale()
      sale.customer = customer
      try await magic.update(sale)
    }
    try await magic.update(Person(name: "Ada"))

    // The colleagues with a higher pay than their manager.
    let rich = try await magic.query(Colleague.self)
      .joined(with: Colleague.self) { $0.$manager == $1 && $0.$pay > $1.$pay }
      .select { colleague, manager in (colleague.$name, manager.$name) }
      .all()

    // The pairs of colleagues with the same pay.
    let pairs = try await magic.query(Colleague.self)
      .joined(with: Colleague.self) { $0.$pay == $1.$pay && $0.zIndex < $1.zIndex }
      .all()  // [(Colleague, Colleague)]

    // The sales of each customer that is a person in the database.
    let known = try await magic.query(Sale.self)
      .joined(with: Person.self) { sale, person in sale.$customer == person.$name }
      .grouped { _, person in person.$name }
      .count()

    let unknown = try await magic.query(Sale.self)
      .where { sale in !MagicQuery(Person.self).exists { $0.$name == sale.$customer.outer() } }
      .all()

    #expect(rich.map { "\($0.0) \($0.1)" } == ["Ann Boss"])
    #expect(pairs.map { Set([$0.0.name, $0.1.name]) } == [["Boss", "Eve"]])
    #expect(known.map(\.key) == ["Ada"] && known.map(\.count) == [2])
    #expect(unknown.map(\.customer) == ["Zoe"])
  }

  @Test func elementsAreGroupedAndSelected() async throws {
    let magic = try await MagicData(type: .temporary)
    for skills in [["Swift", "SQL"], ["Swift", "Go"]] {
      let worker = Worker()
      (worker.skills, worker.rank) = (skills, .master)
      try await magic.update(worker)
    }

    // The number of workers with each skill, the most popular first.
    let popular = try await magic.query(Worker.self)
      .grouped(byEach: \.$skills)
      .order(.descending) { $0.count }
      .count()  // [(key: String, count: Int)]

    let found = try await magic.query(Worker.self)
      .each(\.$skills)
      .where { worker, skill in skill.hasPrefix("S") && worker.$rank == .master }
      .select { worker, skill in (worker.$number, skill) }
      .all()  // [(Int, String)]
    let all = try await magic.query(Worker.self).each(\.$skills).select { $1 }.distinct().all()

    #expect(popular[0].key == "Swift" && popular[0].count == 2)
    #expect(found.count == 3)
    #expect(Set(all) == ["Swift", "SQL", "Go"])
  }

  @Test func selectionsAreCombinedAndReadInPages() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Person(name: "Ada"))
    try await magic.update(Song(title: "Wave"))
    for customer in ["Ada", "Ada", "Ben"] {
      let sale = Sale()
      sale.customer = customer
      try await magic.update(sale)
    }

    let names = try await magic.query(Person.self)
      .select(\.$name)
      .union(MagicQuery(Song.self).select(\.$title))
      .order(.ascending)
      .all()
    let customers = magic.query(Sale.self)
      .grouped(by: \.$customer)
      .order(.descending) { $0.count }
      .select { $0.count }
    let page = try await customers.page(limit: 20)
    let rest = try await customers.page(after: page.next, limit: 20)

    #expect(names == ["Ada", "Wave"])
    #expect(page.rows.map(\.key) == ["Ada", "Ben"] && page.next == nil)
    #expect(rest.rows.count == 2)
  }
}
