import MagicRelations
import MagicStore

/// Writes objects with relationships.
enum HomesWriting {
  static func write(_ store: MagicObjectStore, people: [Person]) throws {
    try writeHomes(store, people: people)
    try writeCycles(store)
    try writeCupboards(store)
  }

  private static func writeHomes(_ store: MagicObjectStore, people: [Person]) throws {
    let cities = Rows.cities.map { City(name: Sample.text($0)) }
    try store.update(contentsOf: cities)
    let rooms = Rows.rooms.map { Room(label: Sample.text($0)) }
    try store.update(contentsOf: rooms)

    // A person that is removed at the end, so that references to it are set to nil.
    let guest = Person(number: 25)
    let homes = Rows.homes.map { number in
      let home = Home()
      home.name = "home \(number)"
      home.city = cities[Links.city(number) - 1]
      home.street = Street(name: "street \(number)")
      home.owner = Links.owner(number).map { people[$0 - 1] } ?? guest
      home.keeper = Links.keeper(number).map { people[$0 - 1] }
      home.rooms = Links.rooms(number).map { rooms[$0 - 1] }
      home.landlords = MagicalSet(Links.landlords(number).map { people[$0 - 1] })
      home.phones = Links.phones(number).mapValues { people[$0 - 1] }
      home.floors = Links.floors(number).mapValues { rooms[$0 - 1] }
      // Only some of the members, so that the positions of the list result from several saves.
      home.residents = [guest] + Links.residents(number).suffix(2).map { people[$0 - 1] }
      return home
    }
    // Inserts the homes in the order of their numbers, before they refer to each other.
    try store.update(contentsOf: homes)
    for (home, number) in zip(homes, Rows.homes) {
      home.parent = Links.parent(number).map { homes[$0 - 1] }
      home.neighbours = MagicalSet(Links.neighbours(number).map { homes[$0 - 1] })
      for (place, resident) in Links.residents(number).dropLast(2).enumerated() {
        home.residents.insert(people[resident - 1], at: place)
      }
      try store.update(home)
    }
    try removeGuest(guest, store, city: cities[0], among: homes)
  }

  /// Removes the guest, and a home with its cascaded members; they had the last row IDs.
  private static func removeGuest(
    _ guest: Person, _ store: MagicObjectStore, city: City, among homes: [Home]
  ) throws {
    let hut = Home()
    hut.name = "hut"
    hut.city = city
    hut.street = Street(name: "path")
    hut.parent = homes[0]
    hut.neighbours = [homes[1]]
    hut.rooms = [Room(label: "inside"), Room(label: "outside")]
    try store.update(hut)
    try store.remove(hut)
    try store.remove(guest)
  }

  private static func writeCycles(_ store: MagicObjectStore) throws {
    let knots = Rows.knots.map { _ in Knot() }
    try store.update(contentsOf: knots)
    for (knot, number) in zip(knots, Rows.knots) { knot.next = knots[Links.next(number) - 1] }
    try store.update(knots[0])

    let twins = Rows.twins.map { Twin(name: "twin \($0)") }
    for (twin, number) in zip(twins, Rows.twins) { twin.other = twins[Links.other(number) - 1] }
    try store.update(contentsOf: twins)
  }

  private static func writeCupboards(_ store: MagicObjectStore) throws {
    let cupboards = Rows.cupboards.map { Cupboard(label: Sample.text($0)) }
    // The first stamp of each value, which is the same row in every version.
    let stamps = Dictionary(
      try store.stamps().map { ($0.value, $0) }, uniquingKeysWith: { first, _ in first })
    for (cupboard, number) in zip(cupboards, Rows.cupboards) {
      cupboard.content = Links.content(number).compactMap { stamps[$0] }
      cupboard.spots = Links.spots(number).compactMapValues { stamps[$0] }
    }
    try store.update(contentsOf: cupboards)
  }
}
