public import MagicSchema

/// Objects can be compared if the type conforms to `Equatable`, which needs no further code.
extension MagicObject where Self: Equatable {
  /// Whether two objects are the same row of the same database, or copies of one instance. The
  /// values of the properties are not compared: compare ``values`` for that.
  ///
  /// An unsaved object equals its copies alone.
  public static func == (left: Self, right: Self) -> Bool {
    ObjectKey(left) == ObjectKey(right)
  }
}

/// Objects can be elements of a `Set` and keys of a dictionary if the type conforms to `Hashable`,
/// which needs no further code.
extension MagicObject where Self: Hashable {
  /// Hashes the row of a saved object, and the instance of an unsaved one.
  ///
  /// So the hash changes when the object is first saved, and when it is removed. Do neither while
  /// the object is in a `Set` or a key of a dictionary: use a ``MagicalSet``, which allows it.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectKey(self)) }
}

/// What equal objects have in common.
private enum ObjectKey: Hashable {
  case row(StoreToken, ZIndex)
  case instance(UInt)
  /// The type cannot be stored as it is declared. Its objects have no identity.
  case invalid

  init<Model: MagicObject>(_ object: Model) {
    guard let schema = try? ObjectSchema.of(Model.self) else {
      self = .invalid
      return
    }
    self = schema.withReference(to: object) { reference in
      reference.identity.map { .row($0.store, $0.zIndex) } ?? .instance(reference.instanceKey)
    }
  }
}
