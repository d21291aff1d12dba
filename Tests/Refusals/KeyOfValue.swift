// expected: cannot convert value of type '.*KeyPath<Seat, Int>
import Foundation
import MagicQuery

struct Seat: MagicObject {
  @MagicValue var row = 0
  @MagicValue var number = 0
  init() {}

  static var key: MagicKey<Self> { MagicKey(\.row, \.number) }
}
