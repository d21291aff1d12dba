public import CMagicRuntime
public import Magical

/// A stored property that may be nil, and is until it is set. Nil is stored as NULL.
///
/// ```swift
/// @OptionMagicValue var petName: String?
/// ```
@propertyWrapper @frozen
public struct OptionMagicValue<Value: Magical & Sendable>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// A property that is nil.
  @inlinable
  public init(_ options: MagicOption...) {
    let cell = Cell<Value>(nil, isChanged: true)
    reference = PropertyReference(cell: cell)
    if !options.isEmpty { Reflector.note(options, of: cell) }
  }

  /// A property with a default.
  @inlinable
  public init(wrappedValue: Value?, _ options: MagicOption...) {
    let cell = Cell<Value>(wrappedValue, isChanged: true)
    reference = PropertyReference(cell: cell)
    if !options.isEmpty { Reflector.note(options, of: cell) }
  }

  /// The value.
  @inlinable
  public var wrappedValue: Value? {
    get { reference.load(Value.self) }
    nonmutating set { reference.cellForChange(Value.self).store(newValue) }
    nonmutating _modify {
      let cell = reference.cellForChange(Value.self)
      magic_lock(cell.lockWord)
      defer { magic_unlock(cell.lockWord) }
      cell.isChanged = true
      yield &cell.value
    }
  }

  /// The property itself, for key paths: `\.$petName`.
  @inlinable
  public var projectedValue: MagicField<Value?> { MagicField(reference: reference) }
}

extension OptionMagicValue: MagicProperty {
  package func column(named name: String, options: [MagicOption]) -> ColumnSchema {
    TypedColumn<Value>(property: name, role: .optional, options: options, template: reference)
  }
}
