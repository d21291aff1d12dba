public import MagicSchema
import MagicStore

// Names of the original MagicData that still compile.

extension MagicData {
  /// The name of ``Kind`` in the original MagicData.
  @available(*, deprecated, renamed: "Kind")
  public typealias CreateType = Kind

  /// Returns whether the table of a type must be migrated before it is used.
  ///
  /// - Throws: `MagicError`, as `migrationPlan(for:)`.
  @available(*, deprecated, message: "use migrationPlan(for:), which says what would be done")
  public func check<Model: MagicObject>(of type: Model.Type) async throws -> Bool {
    try await !migrationPlan(for: type).isEmpty
  }

  /// Returns the row ID of an object.
  ///
  /// - Throws: `MagicError` with `.notSaved` for an object that has no row.
  @available(*, deprecated, message: "use the zIndex of the object")
  public func getZIndexOfObject<Model: MagicObject>(_ object: Model) throws -> Int {
    guard let zIndex = object.zIndex else {
      throw MagicError(
        .notSaved, "The object has no row ID before it is saved.",
        type: try ObjectSchema.of(Model.self).typeName)
    }
    return Int(zIndex.rawValue)
  }
}

extension MagicObject {
  /// Whether the type has a `@PrimaryMagicValue`. False if the type cannot be stored.
  @available(*, deprecated, message: "whether a type has a primary is part of its declaration")
  public var hasPrimaryValue: Bool { (try? ObjectSchema.of(Self.self))?.primary != nil }
}
