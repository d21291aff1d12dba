public import Magical

/// A type whose values are objects of a database: a struct with magic properties.
///
/// ```swift
/// struct Person: MagicObject {
///   @PrimaryMagicValue var id: String
///   @MagicValue var name: String
///   @MagicValue var age: Int = 0
///   @OptionMagicValue var petName: String?
///
///   init() {}
/// }
/// ```
///
/// Copies of an object share the state of its magic properties, plain stored properties they do
/// not; neither do plain properties reach the database. A final class works too; its plain
/// properties are then shared as well, and its author writes `@unchecked Sendable`.
///
/// Encoding an object encodes its ``zIndex``, null while it is unsaved; decoding one throws.
public protocol MagicObject: Codable, CustomDebugStringConvertible, Magical, MagicalRelation,
  Sendable, SendableMetatype
where StoredValue == Int64 {
  /// An object without values. Also called to learn the type's properties.
  init()

  /// The table's name. Default: the type's name without its module.
  static var tableName: String { get }

  /// Indexes over several properties. Default: none.
  static var indexes: [MagicIndex<Self>] { get }

  /// The names that the table had before: an existing table of such a name is renamed. Default:
  /// none.
  static var wasNamed: [String] { get }

  /// What becomes of values when the type changes, where the type itself does not show it.
  /// Default: nothing.
  static var migrations: Migrations { get }
}

extension MagicObject {
  /// The type's name without its module.
  public static var tableName: String { TypeName.unqualified(Self.self) }

  /// None.
  public static var indexes: [MagicIndex<Self>] { [] }

  /// None.
  public static var wasNamed: [String] { [] }

  /// None.
  public static var migrations: Migrations { Migrations() }

  /// The key of the object's row; nil while the object is unsaved or after it was removed.
  public var zIndex: ZIndex? { rowIdentity?.zIndex }

  /// The type's name and the properties with their values; "–" stands for none.
  public var debugDescription: String {
    guard let schema = try? ObjectSchema.of(Self.self) else {
      return TypeName.unqualified(Self.self)
    }
    let values = schema.withReference(to: self) { object in
      zip(schema.columns + schema.collections, 0...).map { property, index in
        "\(property.property): \(property.text(of: object.property(index)) ?? "–")"
      }
    }
    return "\(schema.typeName)(\(values.joined(separator: ", ")))"
  }

  /// Whether two objects are the same row of the same database. Unsaved objects never are.
  public func isSameRow(as other: Self) -> Bool {
    guard let identity = rowIdentity else { return false }
    return identity == other.rowIdentity
  }

  /// The row the object is; nil while it is unsaved, and for a type that cannot be stored.
  package var rowIdentity: RowIdentity? {
    guard let schema = try? ObjectSchema.of(Self.self) else { return nil }
    return schema.withReference(to: self) { $0.identity }
  }
}

extension MagicObject {
  /// Throws always: an object is fetched from its database.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "A \(Self.self) is fetched from its database, it cannot be decoded."))
  }

  /// Encodes the z-index; null while the object is unsaved.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let zIndex { try container.encode(zIndex) } else { try container.encodeNil() }
  }
}

/// As a property of another object, an object is a link to its row.
extension MagicObject {
  /// The z-index; throws while the object is unsaved.
  public var storedValue: Int64 {
    get throws {
      guard let zIndex else { throw MagicalError.cannotEncode("the object is not saved") }
      return zIndex.rawValue
    }
  }

  /// Throws always: an object is fetched from its database.
  public init(storedValue: Int64) throws {
    throw MagicalError.cannotDecode("an object is fetched from its database")
  }

  /// Throws always: an object is fetched from its database.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    throw MagicalError.cannotDecode("an object is fetched from its database")
  }

  /// A slot leads to the object's row.
  @inlinable public static var _packing: MagicalPacking { .link }

  /// Makes the object of a fetched row.
  public static func _unpack(_ value: PackedValue) -> Self {
    let row = value.slot.load(as: PackedRow.self)
    return row.chunk.schema.makeObject(Self.self, from: row)
  }
}
