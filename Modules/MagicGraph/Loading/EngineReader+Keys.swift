package import MagicEngine
package import MagicSchema

/// Lookups by key. The values are those of `ObjectSchema.keyValues`.
extension EngineReader {
  /// Fetches the object with a key, or nil.
  package func object<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, key: [QueryValue]
  ) throws -> Model? {
    noteLookUp(of: schema, byKey: true)
    return try objects(of: type, schema, keys: [key]).first
  }

  /// Fetches the objects with the given keys from one snapshot, in the order of the keys. Keys
  /// without an object are skipped.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, keys: [[QueryValue]]
  ) throws -> [Model] {
    try inSnapshot { try requestedObjects(type, schema, rows(withKeys: keys, of: schema)) }
  }

  /// Returns whether there is an object with a key.
  package func has(_ schema: ObjectSchema, key: [QueryValue]) throws -> Bool {
    noteLookUp(of: schema, byKey: true)
    return try !rows(withKeys: [key], of: schema) { _ in false }.rowIDs.isEmpty
  }

  private func rows(
    withKeys keys: [[QueryValue]], of schema: ObjectSchema, isWanted: ((Int64) -> Bool)? = nil
  ) throws -> FetchedRows {
    defer { parameters.removeAll() }
    var cancellation = CancellationCheck()
    for key in keys {
      try cancellation.count()
      let first = parameters.append(key.count)
      for (place, value) in key.enumerated() {
        parameters.set(try field(of: value), at: first + place)
      }
    }
    return try fetch(.keys, of: schema, graph: nil, isWanted: isWanted)
  }

  private func field(of value: QueryValue) throws -> Field {
    switch value {
    case .null, .list: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(var text): text.withUTF8 { parameters.copy(text: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { parameters.copy(blob: $0) }
    case .object(let object): .integer(try token.rowID(of: object, isWriting: isWriting))
    }
  }
}
