package import Magical
package import MagicSchema
import MagicSQLite

extension StoreConnection {
  /// How many rows are read between two looks at whether the task was cancelled.
  private static var stride: Int { 512 }

  /// All objects of a type, in z-index order.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    guard let statements = try statements(of: schema) else { return [] }
    let select = try statements.selectAll
    defer { select.reset() }
    var packer = RowPacker(schema: schema, store: token)
    var untilCheck = Self.stride
    while try select.step() {
      try packer.append(select)
      untilCheck -= 1
      if untilCheck == 0 {
        try Task.checkCancellation()
        untilCheck = Self.stride
      }
    }
    return schema.makeObjects(type, from: packer.takeChunks())
  }

  /// The first object in z-index order that the body accepts; nil where there is none.
  package func first<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    guard let statements = try statements(of: schema) else { return nil }
    let select = try statements.selectAll
    defer { select.reset() }
    var packer = RowPacker(schema: schema, store: token)
    var isDone = false
    while !isDone {
      try Task.checkCancellation()
      var count = 0
      while count < 64 {
        guard try select.step() else {
          isDone = true
          break
        }
        try packer.append(select)
        count += 1
      }
      for object in schema.makeObjects(type, from: packer.takeChunks())
      where try accepts(object) {
        return object
      }
    }
    return nil
  }

  /// The object with a primary value; nil where there is none.
  package func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primary: Primary
  ) throws -> Model? {
    guard let statements = try statements(of: schema) else { return nil }
    let select = try statements.selectByPrimary
    defer { select.reset() }
    try bind(primary, to: select, schema)
    guard try select.step() else { return nil }
    var packer = RowPacker(schema: schema, store: token, isSingle: true)
    try packer.append(select)
    return schema.makeObjects(type, from: packer.takeChunks()).first
  }

  /// The objects with the given primary values, in their order, those that exist. One snapshot.
  package func objects<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primaries: [Primary]
  ) throws -> [Model] {
    try connection.snapshot {
      guard let statements = try statements(of: schema) else { return [] }
      let select = try statements.selectByPrimary
      defer { select.reset() }
      var packer = RowPacker(schema: schema, store: token)
      // A row that is asked for twice is one instance.
      var positions: [Int64: Int] = [:]
      var order: [Int] = []
      for (index, primary) in primaries.enumerated() {
        if index % Self.stride == 0 { try Task.checkCancellation() }
        try bind(primary, to: select, schema)
        if try select.step() {
          let zIndex = select.column(0).integer
          if let position = positions[zIndex] {
            order.append(position)
          } else {
            order.append(positions.count)
            positions[zIndex] = positions.count
            try packer.append(select)
          }
        }
        select.reset()
      }
      let objects = schema.makeObjects(type, from: packer.takeChunks())
      return objects.count == order.count ? objects : order.map { objects[$0] }
    }
  }

  package func has<Primary: MagicalPrimaryValue>(
    _ schema: ObjectSchema, primary: Primary
  ) throws -> Bool {
    guard let statements = try statements(of: schema) else { return false }
    let select = try statements.hasPrimary
    defer { select.reset() }
    try bind(primary, to: select, schema)
    return try select.step()
  }

  private func bind<Primary: MagicalPrimaryValue>(
    _ primary: Primary, to statement: SQLiteStatement, _ schema: ObjectSchema
  ) throws {
    arena.reset()
    do {
      var writer = ParameterWriter(statement: statement, index: 1, arena: arena)
      try primary.write(to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, column: schema.columns[schema.primary ?? 0], row: nil)
    }
  }
}

extension ObjectSchema {
  /// - Throws: `MagicError` with `.missingPrimary` or
  ///   `.wrongType`.
  package func checkPrimary(_ type: (some MagicalPrimaryValue).Type) throws {
    guard let primary else {
      throw MagicError(
        .missingPrimary, "The type has no @PrimaryMagicValue.", type: typeName)
    }
    let column = columns[primary]
    guard column.valueType == type else {
      throw MagicError(
        .wrongType, "The primary's type is \(column.valueType), not \(type).", type: typeName,
        property: column.property)
    }
  }
}
