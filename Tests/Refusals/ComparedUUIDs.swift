// expected: is unavailable: the operands have different types; convert a number
import Foundation
import MagicQuery

struct Tag: MagicObject {
  @MagicValue var id: MagicUUID
  init() {}
}

let query = MagicQuery(Tag.self).where(\.$id == UUID())
