public import Magical

/// A stored property of an object.
///
/// ```swift
/// @MagicValue var name: String
/// @MagicValue(.indexed) var age: Int = 3
/// ```
///
/// A property without a default value may have no value after `init()`. Reading it then ends the
/// process with a message that names the type and the property. Saving an object whose property has
/// no value throws.
///
/// A property whose type is an object type is a to-one relationship. An array, dictionary or
/// `MagicalSet` of objects is a to-many relationship. Relationships are fetched and saved with
/// their owner. Wrap the type in `AsyncMagical` to fetch a relationship only when it is read. A
/// relationship that a query excludes has no value until it is loaded.
///
/// Copies of an object share the state of their properties, so a property of a `let` can be set.
/// Every read, assignment and in-place change is atomic. Using a property inside its own in-place
/// change ends the process. These two mistakes are the only ones for which the library ends the
/// process instead of throwing an error.
@propertyWrapper @frozen
public struct MagicValue<Value: Magical & Sendable>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// Creates a property without a value.
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

  /// Creates a property without a value, with options for the column.
  @inlinable
  public init(
    _ option: MagicOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([option] + options, of: reference)
  }

  /// Creates a property with a default value.
  @inlinable
  public init(wrappedValue: Value, _ options: MagicOption...) {
    let box: AnyPropertyBox =
      Value._packing == .lazy
      ? LazyPropertyBox(default: wrappedValue) : PropertyBox<Value>(wrappedValue, isChanged: true)
    reference = PropertyReference(box: box)
    Reflector.note(options, of: reference)
  }

  package init(reference: PropertyReference) { self.reference = reference }

  /// The value of the property.
  @inlinable
  public var wrappedValue: Value {
    get { reference.value(Value.self) }
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
  /// Creates a relationship without a value.
  @inlinable
  public init(
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    reference = PropertyReference(box: RelationshipBox<Value>(type: type, file: file, line: line))
  }

  /// Creates a relationship without a value, with options.
  @inlinable
  public init(
    _ option: MagicOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([option] + options, of: reference)
  }

  /// Creates a relationship with a default value.
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
