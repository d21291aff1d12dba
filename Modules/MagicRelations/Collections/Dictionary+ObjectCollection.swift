import MagicSchema

/// A dictionary whose values are objects, as a to-many relationship.
extension Dictionary: ObjectCollection
where Key: Codable, Value: MagicObject {
  package static var linkKind: LinkKind { .dictionary }

  package static func makeKeys() -> (any LinkKeys)? { TypedKeys<Key>.of([]) }

  package init(members: [Value], keys: (any LinkKeys)?, start: Int) {
    guard let keys = keys as? TypedKeys<Key> else {
      self.init()
      return
    }
    // Two stored keys may be equal in Swift, for example two Unicode normal forms of a text. The
    // member of the later key is used.
    // The members are inserted into a copy of the table of places, so that each key is hashed by
    // code that is compiled for its type.
    self = keys.places(from: start, count: members.count).mapValues { members[$0] }
  }

  package var membersAndKeys: (members: [Value], keys: (any LinkKeys)?) {
    (Array(values), TypedKeys.of(Array<Key>(keys)))
  }

  package mutating func setMember(_ member: Value?, forKey key: any LinkKeys) {
    if let key = (key as? TypedKeys<Key>)?.keys.first { self[key] = member }
  }

  package mutating func drop(_ isDeleted: (Value) -> Bool) {
    self = filter { !isDeleted($0.value) }
  }
}
