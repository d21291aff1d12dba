public import Magical

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

  /// A slot refers to the object's row.
  @inlinable public static var _packing: _MagicalPacking { .link }

  /// Makes the object of a fetched row.
  public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    let row = value.slot.load(as: PackedRow.self)
    return row.chunk.schema.makeObject(Self.self, from: row)
  }
}
