public import Magical

/// The property that identifies an object. Its value is unique among the objects of the type, and
/// `object(of:primary:)` finds an object by it.
///
/// ```swift
/// @PrimaryMagicValue var id: String  // a random UUID's text
///
/// @PrimaryMagicValue var uuid: UUID  // a random UUID
///
/// @PrimaryMagicValue var id: MagicUUID  // a random UUID, stored as 16 bytes
///
/// @PrimaryMagicValue var number: Int  // 0 until the first save, then auto-incremented
///
/// @PrimaryMagicValue(.rowID) var id: Int  // the same, and the row ID of the object's row
/// ```
///
/// A value that is set before the first save is kept.
@propertyWrapper @frozen
public struct PrimaryMagicValue<Value: MagicalPrimaryValue>: Sendable {
  @usableFromInline package let reference: PropertyReference

  /// Creates a property with the default value of its type.
  @inlinable
  public init(
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) {
    reference = PropertyReference(
      box: DeclaredPropertyBox<Value>(type: type, file: file, line: line))
  }

  /// Creates a property with the default value of its type, with options for the column.
  @inlinable
  public init(
    _ option: MagicOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([option] + options, of: reference)
  }

  /// Creates a property with the given default value.
  @inlinable
  public init(wrappedValue: Value, _ options: MagicOption...) {
    reference = PropertyReference(box: PropertyBox<Value>(wrappedValue, isChanged: true))
    Reflector.note(options, of: reference)
  }

  /// The value of the property. The default value of the type is created when the property is first
  /// read.
  @inlinable
  public var wrappedValue: Value {
    get { reference.primaryValue(Value.self) }
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

extension PrimaryMagicValue where Value == Int {
  /// Creates a property whose value is the row ID of the object's row.
  ///
  /// - Parameter options: former names of the property; other options are refused.
  @inlinable
  public init(
    _ primary: MagicPrimaryOption, _ options: MagicOption..., type: StaticString = #function,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(type: type, file: file, line: line)
    Reflector.note([primary.option] + options, of: reference)
  }
}

extension PrimaryMagicValue: MagicProperty {
  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    PrimaryColumn<Value>(property: name, role: .primary, options: options, template: reference)
  }
}
