import MagicSchema

/// An array of objects keeps their order; an object may be in it twice.
extension Array: ObjectCollection where Element: MagicObject {
  package static var linkKind: LinkKind { .list }

  package init(members: [Element], keys: (any LinkKeys)?, start: Int) { self = members }

  package var membersAndKeys: (members: [Element], keys: (any LinkKeys)?) { (self, nil) }

  package mutating func drop(_ isGone: (Element) -> Bool) { removeAll(where: isGone) }
}
