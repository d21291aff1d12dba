extension MagicObject {
  /// The key of the object's row; nil while the object is unsaved or after it was removed.
  public var zIndex: ZIndex? { rowIdentity?.zIndex }

  /// The type's name and the properties with their values; "–" stands for none.
  public var debugDescription: String {
    guard let schema = try? ObjectSchema.of(Self.self) else {
      return TypeName.unqualified(Self.self)
    }
    let values = schema.withReference(to: self) { object in
      zip(schema.columns + schema.collections, 0...).map { property, index in
        "\(property.property): \(property.text(of: object.property(index)) ?? "–")"
      }
    }
    return "\(schema.typeName)(\(values.joined(separator: ", ")))"
  }

  /// Whether two objects are the same row of the same database. Unsaved objects never are.
  public func isSameRow(as other: Self) -> Bool {
    guard let identity = rowIdentity else { return false }
    return identity == other.rowIdentity
  }

  /// The row the object is; nil while it is unsaved, and for a type that cannot be stored.
  package var rowIdentity: RowIdentity? {
    guard let schema = try? ObjectSchema.of(Self.self) else { return nil }
    return schema.withReference(to: self) { $0.identity }
  }
}
