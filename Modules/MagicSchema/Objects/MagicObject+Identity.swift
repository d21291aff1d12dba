extension MagicObject {
  /// The ID of the object's row; nil before the object is first saved and after it was removed.
  public var zIndex: ZIndex? { rowIdentity?.zIndex }

  /// Whether two objects are the same row of the same database. The result is false if one of them
  /// is unsaved.
  public func isSameRow(as other: Self) -> Bool {
    guard let identity = rowIdentity else { return false }
    return identity == other.rowIdentity
  }

  /// The database and row of the object; nil if the object is unsaved, and for a type that cannot
  /// be stored.
  package var rowIdentity: RowIdentity? {
    guard let schema = try? ObjectSchema.of(Self.self) else { return nil }
    return schema.withReference(to: self) { $0.identity }
  }
}
