import MagicEngine
import MagicSchema

extension TypedToOneColumn: RecordedProperty {
  var mayBeNull: Bool { isNullable }

  func entry(of property: PropertyReference, isSaved: Bool) -> RecordEntry? {
    if let target = property.load(Target.self) { return .value(MagicID(target)) }
    return mayBeNull && !property.isExcluded(.link) ? .null : nil
  }

  func areEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? MagicID<Target> else { return false }
    return left == right as? MagicID<Target>
  }

  func encode(
    _ value: Any, to container: inout KeyedEncodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws {
    if let id = value as? MagicID<Target> { try container.encode(id, forKey: key) }
  }

  func decode(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any {
    try container.decode(MagicID<Target>.self, forKey: key)
  }

  func assignment(
    of entry: RecordEntry, to property: PropertyReference, _ reader: (any EngineReader)?
  ) throws -> () -> Void {
    let current = property.load(Target.self)
    guard let id = entry.value as? MagicID<Target> else {
      return current == nil && !property.isExcluded(.link)
        ? {} : { property.boxForChange(Target.self).store(nil) }
    }
    if let current, MagicID(current) == id { return {} }
    guard let reader else { throw needsDatabase }
    let target = try reader.object(with: id)
    return { property.boxForChange(Target.self).store(target) }
  }
}
