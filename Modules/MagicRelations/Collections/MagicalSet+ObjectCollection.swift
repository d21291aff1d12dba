public import MagicSchema

extension MagicalSet: MagicalRelation {}

extension MagicalSet: ObjectCollection {
  package typealias Member = Element

  package static var linkKind: LinkKind { .set }

  package init(members: [Element], keys: (any LinkKeys)?, start: Int) {
    self.init(distinct: members)
  }

  package var membersAndKeys: (members: [Element], keys: (any LinkKeys)?) { (members, nil) }

  package mutating func drop(_ isDeleted: (Element) -> Bool) { removeAll(where: isDeleted) }
}
