import MagicRelations

// Types with relationships.

struct City: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var name: String
  @ReverseMagicValue(\Home.$city) var homes: AsyncReverseMagicSet<Home>

  init() {}
  init(name: String) { self.name = name }
}

struct Street: MagicObject {
  @MagicValue(.unique) var name: String

  init() {}
  init(name: String) { self.name = name }
}

/// A target whose table name needs quotes.
struct Room: MagicObject {
  static var tableName: String { #"Room "with" a view"# }

  @MagicValue var label: String

  init() {}
  init(label: String) { self.label = label }
}

/// An object with every kind of relationship and every delete rule.
struct Home: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var city: City
  @MagicValue(.onDelete(.cascade), .named("the street")) var street: Street
  @OptionMagicValue var owner: Person?
  @OptionMagicValue(.onDelete(.cascade)) var parent: Home?
  @OptionMagicValue(.onDelete(.deny)) var keeper: Person?
  @MagicValue var residents: [Person] = []
  @MagicValue(.onDelete(.cascade)) var rooms: [Room] = []
  @MagicValue var neighbours: MagicalSet<Home> = []
  @MagicValue(.onDelete(.deny)) var landlords: MagicalSet<Person> = []
  @MagicValue var phones: [String: Person] = [:]
  @MagicValue(.named("by floor"), .onDelete(.cascade)) var floors: [Int: Room] = [:]

  init() {}
}

/// An object in a cycle of optional references.
struct Knot: MagicObject {
  @PrimaryMagicValue var number: Int
  @OptionMagicValue var next: Knot?

  init() {}
}

/// An object in a cycle of two required references.
struct Twin: MagicObject {
  @MagicValue var name: String
  @MagicValue(.onDelete(.cascade)) var other: Twin

  init() {}
  init(name: String) { self.name = name }
}

/// A key that is stored as JSON.
struct Spot: Codable, Hashable, Sendable {
  let row: Int
  let side: String
}

/// A class with collections, whose table name needs quotes.
final class Cupboard: MagicObject, @unchecked Sendable {
  static var tableName: String { "Cup.board's \"shelf\"" }

  @MagicValue var label: String
  @MagicValue(.named("what is in it")) var content: [Stamp] = []
  @MagicValue var spots: [Spot: Stamp] = [:]

  init() {}
  init(label: String) { self.label = label }
}
