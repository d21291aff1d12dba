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
