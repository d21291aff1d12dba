public import Magical

/// The property that names an object: unique in its type, and what `object(of:primary:)` looks for.
///
/// ```swift
/// @PrimaryMagicValue var id: String  // a random UUID's text
///
/// @PrimaryMagicValue var uuid: UUID  // a random UUID
///
/// @PrimaryMagicValue var number: Int  // 0 until the first save, then counted up
/// ```
///
/// A value that is set before the first save is kept.
@propertyWrapper @frozen
public struct PrimaryMagicValue<Value: MagicalPrimaryValue>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// A property with its type's default.
  @inlinable
  public init(
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    reference = PropertyReference(
      box: DeclaredPropertyBox<Value>(type: type, file: file, line: line))
  }

  /// The same with options for the column.
  @inlinable
  public init(
    _ option: MagicOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([option] + options, of: reference)
  }

  /// A property with a default of its own.
  @inlinable
  public init(wrappedValue: Value, _ options: MagicOption...) {
    reference = PropertyReference(box: PropertyBox<Value>(wrappedValue, isChanged: true))
    Reflector.note(options, of: reference)
  }

  /// The value. A default is made when it is first asked for.
  @inlinable
  public var wrappedValue: Value {
    get {
      if let value = reference.load(Value.self) { return value }
      guard let value = reference.assignDefaultPrimary(Value.self) ?? Value._unassigned else {
        Trap.unset(reference)
      }
      return value
    }
    nonmutating set { reference.boxForChange(Value.self).store(newValue) }
    nonmutating _modify {
      var change = InPlaceChange()
      let storage = reference.storage
      let place = change.begin(reference, Value.self).assigned().unwrapped(reference)
      defer { change.end(keeping: storage) }
      yield &place.pointee
    }
  }

  /// The property itself, for key paths: `\.$id`.
  @inlinable
  public var projectedValue: MagicField<Value> { MagicField(reference: reference) }
}

extension PrimaryMagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    PrimaryColumn<Value>(property: name, role: .primary, options: options, template: reference)
  }
}
