// expected: missing argument
import Foundation
import MagicQuery

struct Seat: MagicObject {
  @MagicValue var row = 0
  init() {}

  static var key: MagicKey<Self> { MagicKey(\.$row) }
}
