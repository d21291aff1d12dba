// expected: requires the types 'String' and 'Int' be equivalent
import Foundation
import MagicQuery

struct Ship: MagicObject {
  @PrimaryMagicValue(.rowID) var id: String

  init() {}
}
