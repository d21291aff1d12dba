import MagicSchema

/// A record is an object whose keys are the names of the properties, in Swift.
///
/// Values are encoded as their types encode themselves, so the strategies of the encoder for dates
/// and data apply. A value that is `Magical` but not `Codable` is encoded as it is stored. A
/// relationship is encoded as the identifier of each object, and nil as null.
extension MagicRecord: Codable {
  /// Decodes the values of the properties whose keys are present. Other keys are ignored.
  ///
  /// - Throws: `DecodingError`, and `MagicError` if the type cannot be stored as it is declared.
  public init(from decoder: any Decoder) throws {
    let schema = try ObjectSchema.of(Model.self)
    let container = try decoder.container(keyedBy: PropertyKey.self)
    entries = try schema.recordedProperties.map { property in
      guard let property else { return nil }
      let key = PropertyKey(property.property)
      guard container.contains(key) else { return nil }
      guard try container.decodeNil(forKey: key) else {
        return .value(try property.decode(from: container, key))
      }
      guard property.mayBeNull else {
        throw DecodingError.valueNotFound(
          property.valueType,
          DecodingError.Context(
            codingPath: container.codingPath + [key],
            debugDescription: "The property \(property.property) of \(schema.typeName) cannot be "
              + "null."))
      }
      return .null
    }
  }

  /// Encodes the values of the contained properties.
  ///
  /// - Throws: `EncodingError`, for example for a relationship with an object that is not saved, or
  ///   a value that contains objects, and `MagicError` if the type cannot be stored as it is
  ///   declared.
  public func encode(to encoder: any Encoder) throws {
    let schema = try ObjectSchema.of(Model.self)
    var container = encoder.container(keyedBy: PropertyKey.self)
    for (property, entry) in zip(schema.recordedProperties, entries) {
      guard let property, let entry else { continue }
      let key = PropertyKey(property.property)
      switch entry {
      case .null: try container.encodeNil(forKey: key)
      case .value(let value): try property.encode(value, to: &container, key)
      }
    }
  }
}

/// A record as text: the type, and the properties with their values.
extension MagicRecord: CustomStringConvertible, CustomDebugStringConvertible {
  /// The type and the contained properties with their values.
  public var description: String {
    guard let schema = try? ObjectSchema.of(Model.self) else { return "\(Model.self)()" }
    let values = zip(schema.recordedProperties, entries).compactMap { property, entry -> String? in
      guard let property, let entry else { return nil }
      guard let value = entry.value else { return "\(property.property): nil" }
      return "\(property.property): \((value as? String)?.debugDescription ?? "\(value)")"
    }
    return "\(schema.typeName)(\(values.joined(separator: ", ")))"
  }

  /// The same as the description.
  public var debugDescription: String { description }
}
