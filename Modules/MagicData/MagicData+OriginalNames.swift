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
}

extension MagicObject {
  /// Whether the type has a `@PrimaryMagicValue`. False if the type cannot be stored.
  @available(*, deprecated, message: "whether a type has a primary is part of its declaration")
  public var hasPrimaryValue: Bool { (try? ObjectSchema.of(Self.self))?.primary != nil }
}
