import MagicSchema

/// An array of objects as a to-many relationship. It is ordered and may contain an object twice.
extension Array: ObjectCollection where Element: MagicObject {
  package static var linkKind: LinkKind { .list }

  package init(members: [Element], keys: (any LinkKeys)?, start: Int) { self = members }

  package var membersAndKeys: (members: [Element], keys: (any LinkKeys)?) { (self, nil) }

  package mutating func drop(_ isDeleted: (Element) -> Bool) { removeAll(where: isDeleted) }
}
