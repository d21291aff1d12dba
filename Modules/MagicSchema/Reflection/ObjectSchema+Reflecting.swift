import MagicRuntime

extension ObjectSchema {
  /// The schema of a type, made when it is first asked for.
  ///
  /// - Throws: ``MagicError`` with ``MagicError/Code/invalidSchema`` where the type cannot be
  ///   stored as it is declared.
  package static func of<Model: MagicObject>(_ type: Model.Type) throws -> ObjectSchema {
    try registry.schema(of: type) ?? make(type)
  }

  /// The same for a type that is known at run time only. Not generic where the schema exists.
  static func of(erased type: any MagicObject.Type) throws -> ObjectSchema {
    try registry.schema(of: type) ?? make(type)
  }

  // Apart, so that a type that is known takes no look at what reflects one that is not.
  @inline(never)
  private static func make<Model: MagicObject>(_ type: Model.Type) throws -> ObjectSchema {
    guard !Reflector.isMaking(type) else {
      throw MagicError(
        .invalidSchema, "The type's init() needs the type to be known, which calls its init().",
        type: TypeName.unqualified(type))
    }
    // Outside the registry's lock: it runs the type's init.
    let reflected = try Reflection(of: type)
    return registry.enter(reflected, of: type)
  }

  private static let registry = SchemaRegistry()

  /// The property that a type declares on a line, for messages.
  static func propertyName(declaringType: String, line: Int) -> String? {
    registry.propertyName(declaringType: declaringType, line: line)
  }
}

/// The schemas of this process.
private final class SchemaRegistry: @unchecked Sendable {
  private let lock = Lock().heldAcrossForks()
  @exclusivity(unchecked) private var schemas: [ObjectIdentifier: ObjectSchema] = [:]

  func schema(of type: any MagicObject.Type) -> ObjectSchema? {
    lock.withLock { schemas[ObjectIdentifier(type)] }
  }

  func enter<Model: MagicObject>(_ reflection: Reflection<Model>, of type: Model.Type)
    -> ObjectSchema
  {
    lock.withLock {
      if let known = schemas[ObjectIdentifier(type)] { return known }
      let schema = reflection.makeSchema(ordinal: schemas.count)
      schemas[ObjectIdentifier(type)] = schema
      return schema
    }
  }

  func propertyName(declaringType: String, line: Int) -> String? {
    lock.withLock { Array(schemas.values) }.lazy
      .flatMap(\.properties)
      .first { $0.isDeclared(by: declaringType, line: line) }?
      .property
  }
}
