// expected: 'rowID'
import Foundation
import MagicQuery

struct Ship: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int = 1

  init() {}
}
