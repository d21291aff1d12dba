public import Magical

/// A stored property of an object.
///
/// ```swift
/// @MagicValue var name: String
/// @MagicValue(.indexed) var age: Int = 3
/// ```
///
/// Without a default it may stay unset after `init()`. Reading it then ends the process: it is the
/// library's one trap, and its message names the type and the property. Saving it throws.
///
/// An object as value is a to-one relationship, an array, dictionary or `MagicalSet` of objects a
/// to-many: they are fetched and saved with their owner, or with `AsyncMagical` around them fetched
/// when they are asked for.
///
/// Copies of an object share their properties' state, and a property can be set on a `let`. Every
/// read, set and in-place change is atomic; using a property inside its own in-place change ends
/// the process.
@propertyWrapper @frozen
public struct MagicValue<Value: Magical & Sendable>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// A property without a value.
  @inlinable
  public init(
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    let box: AnyPropertyBox =
      Value._packing == .lazy
      ? LazyPropertyBox(type: type, file: file, line: line)
      : DeclaredPropertyBox<Value>(type: type, file: file, line: line)
    reference = PropertyReference(box: box)
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

  /// A property with a default.
  @inlinable
  public init(wrappedValue: Value, _ options: MagicOption...) {
    let box: AnyPropertyBox =
      Value._packing == .lazy
      ? LazyPropertyBox(default: wrappedValue) : PropertyBox<Value>(wrappedValue, isChanged: true)
    reference = PropertyReference(box: box)
    Reflector.note(options, of: reference)
  }

  /// The value.
  @inlinable
  public var wrappedValue: Value {
    get {
      guard let value = reference.load(Value.self) else {
        return Trap.value(whereUnset: reference)
      }
      return value
    }
    nonmutating set {
      if Value._packing == .lazy { return reference.setLazy(newValue) }
      reference.boxForChange(Value.self).store(newValue)
    }
    nonmutating _modify {
      var change = InPlaceChange()
      let storage = reference.storage
      let place = change.begin(reference, Value.self).unwrapped(reference)
      defer { change.end(keeping: storage) }
      yield &place.pointee
    }
  }

  /// The property itself, for key paths: `\.$name`.
  @inlinable
  public var projectedValue: MagicField<Value> { MagicField(reference: reference) }
}

extension MagicValue where Value: MagicalRelation {
  /// A relationship without a value.
  @inlinable
  public init(
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    reference = PropertyReference(box: RelationshipBox<Value>(type: type, file: file, line: line))
  }

  /// The same with options.
  @inlinable
  public init(
    _ option: MagicOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([option] + options, of: reference)
  }

  /// A relationship with a default.
  @inlinable
  public init(wrappedValue: Value, _ options: MagicOption...) {
    reference = PropertyReference(box: RelationshipBox<Value>(wrappedValue, isChanged: true))
    Reflector.note(options, of: reference)
  }
}

extension MagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    schema(Value.self, named: name, role: .required, options: options)
  }
}
