import Magical

/// Ends the process when a property without a value is read. Reading a property cannot throw.
@usableFromInline
enum Trap {
  @usableFromInline
  static func unset(_ reference: PropertyReference) -> Never {
    fatalError(
      excluded(reference).map { name in
        "\(name) was read, but the query of the object excludes it. Call refresh(_:) first, set the "
          + "property, or remove excluding(_:) from the query."
      }
        ?? "\(name(of: reference)) was read before it was set. "
        + "Give it a default, set it in init, or declare it with @OptionMagicValue.")
  }

  /// Ends the process if a to-one without value was not loaded with its object.
  @usableFromInline @inline(never)
  static func requireLoaded(_ reference: PropertyReference) {
    if !reference.isBox, reference.isExcluded(.link) { unset(reference) }
  }

  /// Returns the name of a fetched property without a value, which is a relationship that was not
  /// loaded; nil for a property of a new object.
  private static func excluded(_ reference: PropertyReference) -> String? {
    guard !reference.isBox else { return nil }
    let schema = reference.row.chunk.schema
    return "\(schema.typeName).\(schema.stored(at: reference.column).property)"
  }

  /// Returns a substitute for the value of a relationship that has none, while a key path is
  /// evaluated; otherwise ends the process.
  ///
  /// A key path that passes through a relationship is evaluated on a template, whose relationship
  /// has no value. Any object of the type can be the substitute: the properties of that object are
  /// not the properties of a template, so the query refuses the key path.
  @usableFromInline @inline(never)
  static func value<Value>(whereUnset reference: PropertyReference) -> Value {
    guard Reflector.isEvaluating, let type = Value.self as? any MagicObject.Type,
      let object = type.init() as? Value
    else { unset(reference) }
    return object
  }

  private static func name(of reference: PropertyReference) -> String {
    let (type, property) = names(of: reference)
    guard let type, reference.isBox else { return "A magic property" }
    if let property { return "\(type).\(property)" }
    let box = unsafeDowncast(reference.storage, to: AnyPropertyBox.self)
    let file = box.origin.map { String(cString: $0.file) } ?? ""
    return "The property of \(type) that is declared at \(file):\(box.line)"
  }

  /// The type that declares a property, and the name of the property, if they are known.
  static func names(of reference: PropertyReference) -> (type: String?, property: String?) {
    guard reference.isBox else { return (nil, nil) }
    let box = unsafeDowncast(reference.storage, to: AnyPropertyBox.self)
    guard let origin = box.origin else { return (nil, nil) }
    let type = String(cString: origin.typeName)
    let file = String(cString: origin.file)
    let property =
      ObjectSchema.propertyName(declaringType: type, line: box.line)
      ?? propertyName(declaringType: type, file: file, line: box.line)
    return (type, property)
  }

  /// Returns the name of a property of a type that was not used with a database yet. Only a type at
  /// the top level of a module is found by its name.
  private static func propertyName(declaringType: String, file: String, line: Int) -> String? {
    guard let module = file.split(separator: "/").first else { return nil }
    let name = "\(module.utf8.count)\(module)\(declaringType.utf8.count)\(declaringType)"
    guard
      let model = (_typeByName(name + "V") ?? _typeByName(name + "C")) as? any MagicObject.Type
    else { return nil }
    _ = try? ObjectSchema.of(model)
    return ObjectSchema.propertyName(declaringType: declaringType, line: line)
  }
}
