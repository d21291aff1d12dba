import MagicEngine
import MagicSchema

extension TypedCollectionColumn: RecordedProperty {
  var mayBeNull: Bool { false }

  func entry(of property: PropertyReference, isSaved: Bool) -> RecordEntry? {
    (property.load(Value.self) as? any RecordedCollection).map { .value($0.identifiers) }
  }

  func areEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any Hashable, let right = right as? any Hashable else { return false }
    return AnyHashable(left) == AnyHashable(right)
  }

  func encode(
    _ value: Any, to container: inout KeyedEncodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws {
    if let identifiers = value as? any Encodable { try container.encode(identifiers, forKey: key) }
  }

  func decode(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any {
    guard let type = Value.self as? any RecordedCollection.Type else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "The collection cannot be decoded.")
    }
    return try decode(type, from: container, key)
  }

  private func decode<Collection: RecordedCollection>(
    _ type: Collection.Type, from container: KeyedDecodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws -> Any {
    Collection.normalized(try container.decode(Collection.Identifiers.self, forKey: key))
  }

  func assignment(
    of entry: RecordEntry, to property: PropertyReference, _ reader: (any EngineReader)?
  ) throws -> () -> Void {
    guard let type = Value.self as? any RecordedCollection.Type, let identifiers = entry.value,
      let value = try collection(type, of: identifiers, property, reader) as? Value
    else { return {} }
    return { property.boxForChange(Value.self).store(value) }
  }

  /// Returns the collection of identified objects; nil if it is the current value.
  private func collection<Collection: RecordedCollection>(
    _ type: Collection.Type, of identifiers: Any, _ property: PropertyReference,
    _ reader: (any EngineReader)?
  ) throws -> Collection? {
    guard let identifiers = identifiers as? Collection.Identifiers else { return nil }
    let current = property.load(Value.self) as? Collection
    if current?.identifiers == identifiers { return nil }
    // The members that the collection already has are used again.
    var members: [MagicID<Collection.Member>: Collection.Member] = [:]
    for member in current?.membersAndKeys.members ?? [] { members[member.magicID] = member }
    return try Collection(identifiers: identifiers) { id in
      if let member = members[id] { return member }
      guard let reader else { throw needsDatabase }
      let member = try reader.object(with: id)
      members[id] = member
      return member
    }
  }
}
