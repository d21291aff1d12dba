public import Magical

extension MagicObject {
  /// Always throws: objects are fetched, not decoded.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "A \(Self.self) cannot be decoded. Fetch it from its database."))
  }

  /// Encodes the ID of the object's row, or null if the object is unsaved, for a value that a
  /// database stores. Any other encoder gets an `EncodingError`: encode the `values` of the object.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.isForStorage else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "A \(Self.self) is a reference to a row and is encoded only in values "
            + "that a database stores. Encode its properties, `object.values`, or its identifier, "
            + "`object.magicID`."))
    }
    var container = encoder.singleValueContainer()
    if let zIndex { try container.encode(zIndex) } else { try container.encodeNil() }
  }
}

/// An object as the value of another object's property is a reference to its row.
extension MagicObject {
  /// The ID of the object's row. This property throws if the object is unsaved.
  public var storedValue: Int64 {
    get throws {
      guard let zIndex else { throw MagicalError.cannotEncode("the object is not saved") }
      return zIndex.rawValue
    }
  }

  /// Always throws: objects are fetched, not created from a column value.
  public init(storedValue: Int64) throws {
    throw MagicalError.cannotDecode("an object cannot be decoded; fetch it from its database")
  }

  /// Always throws: objects are fetched, not created from a column value.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    throw MagicalError.cannotDecode("an object cannot be decoded; fetch it from its database")
  }

  /// The slot refers to the row of the object.
  @inlinable public static var _packing: _MagicalPacking { .link }

  /// Creates the object of a fetched row.
  public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    let row = value.slot.load(as: PackedRow.self)
    return row.chunk.schema.makeObject(Self.self, from: row)
  }
}
