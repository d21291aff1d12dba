import MagicRuntime

extension ObjectSchema {
  /// Returns the schema of a type. The type is reflected on the first call.
  ///
  /// - Throws: ``MagicError`` with ``MagicError/Code/invalidSchema`` if the type cannot be stored
  ///   as it is declared.
  package static func of<Model: MagicObject>(_ type: Model.Type) throws -> ObjectSchema {
    try registry.schema(of: type) ?? make(type)
  }

  /// Returns the schema of a type that is known only at run time. The generic code runs only if the
  /// schema does not exist yet, because opening the existential takes time.
  static func of(erased type: any MagicObject.Type) throws -> ObjectSchema {
    try registry.schema(of: type) ?? make(type)
  }

  // A separate function, so that a lookup of a known type does not inline the reflection of an
  // unknown one.
  @inline(never)
  private static func make<Model: MagicObject>(_ type: Model.Type) throws -> ObjectSchema {
    guard !Reflector.isMaking(type) else {
      throw MagicError(
        .invalidSchema,
        "The init() of the type uses the schema of the type, which does not exist before init() "
          + "returns. Do not use zIndex or a database in init().",
        type: TypeName.unqualified(type))
    }
    // Not inside the lock of the registry, because reflection runs the initializer of the type.
    let reflected = try Reflection(of: type)
    return registry.insert(reflected, of: type)
  }

  private static let registry = SchemaRegistry()

  /// Returns the schema with an ordinal, or nil. The time grows with the number of types.
  package static func numbered(_ ordinal: Int) -> ObjectSchema? {
    registry.schema(numbered: ordinal)
  }

  /// Returns the name of the property that a type declares on a line, for messages.
  static func propertyName(declaringType: String, line: Int) -> String? {
    registry.propertyName(declaringType: declaringType, line: line)
  }
}

/// The schemas of all types that this process has used.
private final class SchemaRegistry: @unchecked Sendable {
  private let lock = Lock().lockedDuringForks()
  @exclusivity(unchecked) private var schemas: [ObjectIdentifier: ObjectSchema] = [:]

  func schema(of type: any MagicObject.Type) -> ObjectSchema? {
    lock.withLock { schemas[ObjectIdentifier(type)] }
  }

  func insert<Model: MagicObject>(_ reflection: Reflection<Model>, of type: Model.Type)
    -> ObjectSchema
  {
    lock.withLock {
      if let cached = schemas[ObjectIdentifier(type)] { return cached }
      let schema = reflection.makeSchema(ordinal: schemas.count)
      schemas[ObjectIdentifier(type)] = schema
      return schema
    }
  }

  func schema(numbered ordinal: Int) -> ObjectSchema? {
    lock.withLock { schemas.values.first { $0.ordinal == ordinal } }
  }

  func propertyName(declaringType: String, line: Int) -> String? {
    lock.withLock { Array(schemas.values) }.lazy
      .flatMap(\.properties)
      .first { $0.isDeclared(by: declaringType, line: line) }?
      .property
  }
}
