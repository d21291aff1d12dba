public import MagicSchema

/// The values of an object's properties at one moment: a value that can be compared, encoded, sent
/// and turned into an object.
///
/// ```swift
/// let json = try JSONEncoder().encode(song.values)
/// let values = try JSONDecoder().decode(MagicRecord<Song>.self, from: json)
/// let copy = try Song(values)
/// print(values.$title ?? "untitled")
/// ```
///
/// A record contains the magic properties of the type. A relationship is contained as the
/// ``MagicID`` of each object. Not contained are assets, lazy and inverse relationships, plain
/// properties, and properties without a value. Reading the values of a property is atomic, and each
/// is read once.
///
/// Two records are equal if they contain the same properties with equal values. Values of a type
/// that is not `Equatable` are compared as they are stored.
@dynamicMemberLookup
public struct MagicRecord<Model: MagicObject>: Sendable {
  /// The values of the columns and collections, in the order of the schema; nil for a property that
  /// is not contained. Empty for a type that cannot be stored as it is declared.
  var entries: [RecordEntry?]

  init(entries: [RecordEntry?]) { self.entries = entries }

  /// Creates the record of an object's current values. A default primary value that was not created
  /// yet is created.
  public init(_ object: Model) {
    guard let schema = try? ObjectSchema.of(Model.self) else {
      entries = []
      return
    }
    entries = schema.withReference(to: object) { reference in
      schema.recordedProperties.enumerated().map { index, property in
        property?.entry(of: reference.property(index), isSaved: reference.identity != nil)
      }
    }
  }

  /// Returns the record without some properties, for example before it is sent:
  /// `user.values.omitting(\.$passwordHash)`.
  public func omitting<each Value>(
    _ fields: repeat KeyPath<Model, MagicField<each Value>>
  ) -> MagicRecord {
    var record = self
    for field in repeat each fields {
      if let index = Self.index(of: field), entries.indices.contains(index) {
        record.entries[index] = nil
      }
    }
    return record
  }

  func entry<Value>(at path: KeyPath<Model, MagicField<Value>>) -> RecordEntry? {
    Self.index(of: path).flatMap { entries.indices.contains($0) ? entries[$0] : nil }
  }

  /// The place of a property in `entries`; nil if a key path refers to no property of the type
  /// itself.
  private static func index<Value>(of path: KeyPath<Model, MagicField<Value>>) -> Int? {
    guard let schema = try? ObjectSchema.of(Model.self),
      let property = try? schema.property(at: path)
    else { return nil }
    return (schema.columns + schema.collections).firstIndex { $0 === property }
  }
}

extension MagicObject {
  /// The values of the properties at this moment. See ``MagicRecord``.
  public var values: MagicRecord<Self> { MagicRecord(self) }
}
