public import Magical

/// A stored property that may be nil. It is nil until it is set, and nil is stored as NULL.
///
/// ```swift
/// @OptionMagicValue var petName: String?
/// ```
@propertyWrapper @frozen
public struct OptionMagicValue<Value: Magical & Sendable>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// Creates a property that is nil.
  @inlinable
  public init() {
    let box: AnyPropertyBox =
      Value._packing == .lazy
      ? LazyPropertyBox(default: Value?.none) : PropertyBox<Value>(nil, isChanged: true)
    reference = PropertyReference(box: box)
  }

  /// Creates a property that is nil, with options for the column.
  @inlinable
  public init(_ option: MagicOption, _ options: MagicOption...) {
    self.init()
    Reflector.note([option] + options, of: reference)
  }

  /// Creates a property with a default value.
  @inlinable
  public init(wrappedValue: Value?, _ options: MagicOption...) {
    let box: AnyPropertyBox =
      Value._packing == .lazy
      ? LazyPropertyBox(default: wrappedValue) : PropertyBox<Value>(wrappedValue, isChanged: true)
    reference = PropertyReference(box: box)
    Reflector.note(options, of: reference)
  }

  /// The value of the property.
  @inlinable
  public var wrappedValue: Value? {
    get {
      let value = reference.load(Value.self)
      guard Value._packing == .link, value == nil else { return value }
      Trap.requireLoaded(reference)
      // Another task may have loaded it meanwhile.
      return reference.load(Value.self)
    }
    nonmutating set {
      if Value._packing == .lazy { return reference.setLazy(newValue) }
      reference.boxForChange(Value.self).store(newValue)
    }
    nonmutating _modify {
      if Value._packing == .link { Trap.requireLoaded(reference) }
      var change = InPlaceChange()
      let storage = reference.storage
      let place = change.begin(reference, Value.self)
      defer { change.end(keeping: storage) }
      yield &place.pointee
    }
  }

  /// The property itself, for key paths: `\.$petName`.
  @inlinable
  public var projectedValue: MagicField<Value?> { MagicField(reference: reference) }
}

extension OptionMagicValue where Value: MagicalRelation {
  /// Creates a relationship that is nil.
  @inlinable
  public init() {
    reference = PropertyReference(box: RelationshipBox<Value>(nil, isChanged: true))
  }

  /// Creates a relationship that is nil, with options.
  @inlinable
  public init(_ option: MagicOption, _ options: MagicOption...) {
    self.init()
    Reflector.note([option] + options, of: reference)
  }

  /// Creates a relationship with a default value.
  @inlinable
  public init(wrappedValue: Value?, _ options: MagicOption...) {
    reference = PropertyReference(box: RelationshipBox<Value>(wrappedValue, isChanged: true))
    Reflector.note(options, of: reference)
  }
}

extension OptionMagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    schema(Value.self, named: name, role: .optional, options: options)
  }
}
