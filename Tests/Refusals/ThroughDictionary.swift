// expected: no exact matches in call to initializer
import MagicQuery

struct Ownership: MagicObject {
  @MagicValue var pet: Pet
  @MagicValue var home: Home

  init() {}
}

struct Home: MagicObject {
  @MagicThrough(\Ownership.$home, \Ownership.$pet) var pets: [String: Pet]

  init() {}
}
