// expected: 'rowID'
import Foundation
import MagicQuery

struct Ship: MagicObject {
  @MagicValue(.rowID) var id: Int

  init() {}
}
