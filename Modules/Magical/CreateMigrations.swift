// The original MagicData called `createMigrations()` of a type. A type that still declares it would
// have no migrations here, because nothing calls it. The compiler reports it: the result type of the
// declaration becomes the associated type, and the conformance of `Migrations` is unavailable.

/// Requirements that no type declares.
@_documentation(visibility: internal)
public protocol _MagicFormerNames {
  associatedtype _CreatedByType: _MagicFormerMigrations = _MagicNoMigrations
  associatedtype _CreatedByObject: _MagicFormerMigrations = _MagicNoMigrations
  static func createMigrations() -> _CreatedByType
  func createMigrations() -> _CreatedByObject
}

/// The result of a type that declares no `createMigrations()`.
@_documentation(visibility: internal)
public protocol _MagicFormerMigrations {}

/// The result of a type that declares no `createMigrations()`.
@_documentation(visibility: internal)
public struct _MagicNoMigrations: _MagicFormerMigrations, Sendable {
  package init() {}
}
