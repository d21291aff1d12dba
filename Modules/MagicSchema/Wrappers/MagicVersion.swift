public import Magical

/// The version of an object's row, for optimistic locking: a save of an object whose row was changed
/// since the object was fetched or saved throws `MagicError` with `.conflict`.
///
/// ```swift
/// struct Account: MagicObject {
///   @PrimaryMagicValue var id: String
///   @MagicValue var balance: Int = 0
///   @MagicVersion var version: Int
/// }
/// ```
///
/// The database assigns the version. It is 1 after the first save, and every save that changes a
/// property, relationship or collection of the object increments it, as do updates by queries.
/// Changes by delete rules and through inverse relationships do not; SQL must increment it itself. A
/// type has one version at most. The property cannot be set.
@propertyWrapper @frozen
public struct MagicVersion: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// Creates the version of an unsaved object.
  @inlinable
  public init() { reference = PropertyReference(box: PropertyBox<Int>(nil, isChanged: false)) }

  /// Creates the version of an unsaved object, with options for the column.
  @inlinable
  public init(_ option: MagicOption, _ options: MagicOption...) {
    self.init()
    Reflector.note([option] + options, of: reference)
  }

  /// The version that was fetched or saved last; 0 before the first save.
  @inlinable
  public var wrappedValue: Int { reference.load(Int.self) ?? 0 }

  /// The property itself, for key paths: `\.$version`.
  @inlinable
  public var projectedValue: MagicField<Int> { MagicField(reference: reference) }
}

extension MagicVersion: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    VersionColumn(property: name, role: .required, options: options, template: reference)
  }
}
