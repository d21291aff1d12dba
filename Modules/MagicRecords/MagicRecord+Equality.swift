import MagicSchema

extension MagicRecord: Hashable {
  /// Whether two records contain the same properties with equal values.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.entries.count == right.entries.count else { return false }
    guard let schema = try? ObjectSchema.of(Model.self) else { return true }
    return zip(schema.recordedProperties, zip(left.entries, right.entries)).allSatisfy {
      property, entries in
      switch entries {
      case (nil, nil), (.null, .null): true
      case (.value(let left), .value(let right)): property?.areEqual(left, right) ?? false
      default: false
      }
    }
  }

  /// Hashes the values of hashable types.
  public func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry == nil)
      if let value = entry?.value as? any Hashable { hasher.combine(value) }
    }
  }
}
