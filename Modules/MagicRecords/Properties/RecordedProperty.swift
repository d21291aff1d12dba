import MagicEngine
import MagicSchema
import Magical

/// A property whose value is part of a record. The methods get and return values of the type that
/// records contain for the property.
protocol RecordedProperty: PropertySchema {
  /// Whether the value may be nil.
  var mayBeNull: Bool { get }

  /// Returns the value of an object's property; nil if it has no value.
  func entry(of property: PropertyReference, isSaved: Bool) -> RecordEntry?

  func areEqual(_ left: Any, _ right: Any) -> Bool

  func encode(
    _ value: Any, to container: inout KeyedEncodingContainer<PropertyKey>,
    _ key: PropertyKey) throws

  func decode(
    from container: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> Any

  /// Returns a value as a field of a cloud record.
  ///
  /// - Throws: `CloudFieldProblem`, `MagicalError`, ``MagicCloudError``.
  func cloudField(of value: Any) throws -> CloudField

  /// Returns the value that a field contains, which is not null.
  ///
  /// - Throws: as `cloudField(of:)`.
  func value(of field: CloudField) throws -> Any

  /// Returns a closure that gives the property a value that differs from its current one.
  ///
  /// - Parameter reader: fetches the objects of a relationship; nil if there is no database.
  func assignment(
    of entry: RecordEntry, to property: PropertyReference, _ reader: (any EngineReader)?
  ) throws -> () -> Void
}

extension RecordedProperty {
  /// The error for a relationship whose objects must be fetched.
  var needsDatabase: MagicError {
    MagicError(
      .notFound,
      "The values refer to objects that must be fetched. Use apply(_:to:) of a database.",
      property: property)
  }
}

extension ObjectSchema {
  /// The columns and the collections; nil in place of those that are not part of a record.
  var recordedProperties: [(any RecordedProperty)?] {
    columns.map { $0.isFile ? nil : $0 as? any RecordedProperty }
      + collections.map { $0 as? any RecordedProperty }
  }
}
