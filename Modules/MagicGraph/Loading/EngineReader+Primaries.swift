package import MagicEngine
package import MagicSchema
package import Magical

extension EngineReader {
  /// Fetches the object with a primary value, or nil.
  package func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primary: Primary
  ) throws -> Model? {
    noteLookUp(of: schema, byKey: false)
    guard try schema.reach.fetched.hasRelationships else {
      return try object(of: type, schema, withPrimary: primary)
    }
    return try inSnapshot { try object(of: type, schema, withPrimary: primary) }
  }

  private func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, withPrimary primary: Primary
  ) throws -> Model? {
    let chunks = try rows(withPrimary: primary, of: schema)
    return try loadingRelationships(of: chunks, schema) {
      chunks.first.map { schema.makeObject(type, from: $0.row(0)) }
    }
  }

  /// Fetches the objects with the given primary values from one snapshot, in the order of the
  /// values. Values without an object are skipped.
  package func objects<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primaries: [Primary]
  ) throws -> [Model] {
    try inSnapshot {
      try requestedObjects(type, schema, rows(withPrimaries: primaries, of: schema))
    }
  }

  /// Creates the objects of rows that were requested by value, in the order of the request.
  func requestedObjects<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, _ rows: FetchedRows
  ) throws -> [Model] {
    let objects = try makeObjects(type, schema, of: rows.chunks)
    guard objects.count < rows.rowIDs.count else { return objects }
    // A row that is requested twice is one instance.
    var places: [Int64: Int] = [:]
    return rows.rowIDs.map { rowID in
      let place = places[rowID] ?? places.count
      places[rowID] = place
      return objects[place]
    }
  }

  /// Returns whether there is an object with a primary value.
  package func has<Primary: MagicalPrimaryValue>(
    _ schema: ObjectSchema, primary: Primary
  ) throws -> Bool {
    noteLookUp(of: schema, byKey: false)
    defer { parameters.removeAll() }
    try addParameter(primary, of: schema)
    return try hasRowWithPrimary(of: schema)
  }

  private func rows(
    withPrimary primary: some MagicalPrimaryValue, of schema: ObjectSchema
  ) throws -> [RowChunk] {
    defer { parameters.removeAll() }
    try addParameter(primary, of: schema)
    return try fetch(.primary, of: schema).chunks
  }

  private func rows(
    withPrimaries primaries: [some MagicalPrimaryValue], of schema: ObjectSchema
  ) throws -> FetchedRows {
    defer { parameters.removeAll() }
    var cancellation = CancellationCheck()
    for primary in primaries {
      try cancellation.count()
      try addParameter(primary, of: schema)
    }
    return try fetch(.primaries, of: schema)
  }

  /// Adds a primary value to the parameters.
  package func addParameter(_ primary: some MagicalPrimaryValue, of schema: ObjectSchema) throws {
    do {
      var writer = FieldWriter(parameters, at: parameters.append(1))
      try primary.write(to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, column: schema.columns[schema.primary ?? 0], row: nil)
    }
  }
}

extension ObjectSchema {
  /// An `Int`, the type of a literal, is accepted for a primary of any integer type. No row has a
  /// value that is out of the range of the type.
  ///
  /// - Throws: `MagicError` with `.missingPrimary` or `.wrongType`.
  package func checkPrimary(_ type: (some MagicalPrimaryValue).Type) throws {
    guard let primary else {
      throw MagicError(
        .missingPrimary, "The type has no @PrimaryMagicValue. Declare one, or use a query.",
        type: typeName)
    }
    let column = columns[primary]
    let isInteger = type == Int.self && column.valueType is any FixedWidthInteger.Type
    guard column.valueType == type || isInteger else {
      throw MagicError(
        .wrongType, "The primary value must have type \(column.valueType), not \(type).",
        type: typeName, property: column.property)
    }
  }
}
