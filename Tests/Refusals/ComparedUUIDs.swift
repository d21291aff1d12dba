// expected: MagicField<MagicUUID>
import Foundation
import MagicQuery

struct Tag: MagicObject {
  @MagicValue var id: MagicUUID
  init() {}
}

let query = MagicQuery(Tag.self).where(\.$id == UUID())
