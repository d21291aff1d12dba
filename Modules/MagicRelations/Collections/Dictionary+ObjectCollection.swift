import MagicSchema

/// A dictionary whose values are objects, as a to-many relationship.
extension Dictionary: ObjectCollection
where Key: Codable, Value: MagicObject {
  package static var linkKind: LinkKind { .dictionary }

  package static func makeKeys() -> (any LinkKeys)? { TypedKeys<Key>() }

  package init(members: [Value], keys: (any LinkKeys)?, start: Int) {
    self.init(minimumCapacity: members.count)
    guard let keys = (keys as? TypedKeys<Key>)?.keys else { return }
    // Two stored keys may be equal in Swift, for example two Unicode normal forms of a text. The
    // member of the later key is used.
    // Loops of generic types take several times as long here, where no type is known.
    var index = 0
    while index < members.count {
      self[keys[start + index]] = members[index]
      index += 1
    }
  }

  package var membersAndKeys: (members: [Value], keys: (any LinkKeys)?) {
    (Array(values), TypedKeys(Array<Key>(keys)))
  }

  package mutating func setMember(_ member: Value?, forKey key: any LinkKeys) {
    if let key = (key as? TypedKeys<Key>)?.keys.first { self[key] = member }
  }

  package mutating func drop(_ isDeleted: (Value) -> Bool) {
    self = filter { !isDeleted($0.value) }
  }
}
