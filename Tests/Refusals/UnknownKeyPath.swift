// expected: has no member .[$]size.
import Foundation
import MagicQuery

struct Person: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @MagicValue var money: Decimal = 0
  @OptionMagicValue var nick: String?
  @OptionMagicValue var boss: Person?
  @MagicValue var friends: [Person] = []

  init() {}
}

struct Pet: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @OptionMagicValue var owner: Person?

  init() {}
}

let query = MagicQuery(Person.self).order(by: \Person.$size)
