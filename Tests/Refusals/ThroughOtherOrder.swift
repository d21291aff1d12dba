// expected: to expected argument type 'KeyPath<Ownership, MagicField<Int>>'
import MagicQuery

struct Ownership: MagicObject {
  @MagicValue var pet: Pet
  @MagicValue var home: Home
  @MagicValue var since: String = ""

  init() {}
}

struct Home: MagicObject {
  @MagicThrough(\Ownership.$home, \Ownership.$pet, orderedBy: \.$since) var pets: [Pet]

  init() {}
}
