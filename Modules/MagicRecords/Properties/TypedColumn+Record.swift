import MagicEngine
import MagicSchema
import Magical

extension TypedColumn: RecordedProperty {
  var mayBeNull: Bool { role == .optional }

  func entry(of property: PropertyReference, isSaved: Bool) -> RecordEntry? {
    if role == .primary {
      assignDefault(property)
      // An auto-incremented value that was not assigned yet.
      if !isSaved, let column = self as? any IdentifyingColumn,
        column.key(of: property, isSaved: false) == nil
      {
        return nil
      }
    }
    if let value = property.load(Value.self) { return .value(value) }
    return mayBeNull ? .null : nil
  }

  func areEqual(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? Value, let right = right as? Value else { return false }
    if let left = left as? any Equatable { return left.equals(right) }
    // Both values can be stored if their column values were compared.
    guard let left = try? left.storedValue, let right = try? right.storedValue else { return false }
    return (left as? any Equatable)?.equals(right) ?? false
  }

  /// Whether the same column value is stored for two values: equal texts may have other bytes, and 0
  /// has two signs.
  private func areStoredEqually(_ left: Value, _ right: Value) -> Bool {
    guard areEqual(left, right) else { return false }
    return switch (try? left.storedValue, try? right.storedValue) {
    case (let left as String, let right as String): left.utf8.elementsEqual(right.utf8)
    case (let left as Double, let right as Double): left.bitPattern == right.bitPattern
    default: true
    }
  }

  func encode(
    _ value: Any, to container: inout KeyedEncodingContainer<PropertyKey>,
    _ key: PropertyKey
  ) throws {
    guard let value = value as? Value else { return }
    if Value.self is any Codable.Type, let value = value as? any Encodable {
      return try container.encode(value, forKey: key)
    }
    do {
      guard let stored = try value.storedValue as? any Encodable else { return }
      try container.encode(stored, forKey: key)
    } catch let error as MagicalError {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: container.codingPath + [key], debugDescription: "\(error)"))
    }
  }

  func decode(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any {
    if let type = Value.self as? any Codable.Type,
      let value = try container.decode(type, forKey: key) as? Value
    {
      return value
    }
    do {
      guard let type = Value.StoredValue.self as? any Decodable.Type,
        let stored = try container.decode(type, forKey: key) as? Value.StoredValue
      else { throw MagicalError.cannotDecode("it cannot be decoded") }
      return try Value(storedValue: stored)
    } catch let error as MagicalError {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "The value is invalid: \(error).")
    }
  }

  func assignment(
    of entry: RecordEntry, to property: PropertyReference, _ reader: (any EngineReader)?
  ) throws -> () -> Void {
    let value = entry.value as? Value
    let current = property.load(Value.self)
    if let value, let current, areStoredEqually(value, current) { return {} }
    if value == nil, current == nil { return {} }
    return { property.boxForChange(Value.self).store(value) }
  }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}
