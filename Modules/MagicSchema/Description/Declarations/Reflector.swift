import CMagicRuntime

/// Collects the options that property wrappers were given while an object of a type is created for
/// reflection. At any other time the options are not collected.
@usableFromInline
package enum Reflector {
  /// The options that are collected on one thread. Entries form a stack: see ``outer``.
  private final class Entry {
    /// The type that is reflected; nil while a key path is evaluated.
    let type: ObjectIdentifier?
    /// The entry of the type whose initializer caused the reflection of this one.
    let outer: Entry?
    /// The options by property box. The boxes are retained: a default value may create and release
    /// an object during reflection, and without the reference a later box could get the same
    /// address, and so the options of the released one.
    var options: [ObjectIdentifier: (storage: PropertyStorage, options: [MagicOption])] = [:]
    /// The relationships through join types, by property box.
    var relationships: [ObjectIdentifier: any ThroughRelationship] = [:]

    init(_ type: (any MagicObject.Type)?, outer: Entry?) {
      self.type = type.map { ObjectIdentifier($0) }
      self.outer = outer
    }
  }

  private static var current: Entry? {
    magic_thread_word_get().map { Unmanaged<Entry>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether this thread is creating an object of the type for reflection. Then the type's own
  /// initializer needs the schema, for example by reading `zIndex`, and reflecting the type again
  /// would recurse without end.
  static func isMaking(_ type: any MagicObject.Type) -> Bool {
    var entry = current
    while let present = entry {
      if present.type == ObjectIdentifier(type) { return true }
      entry = present.outer
    }
    return false
  }

  /// Collects the options of a property. Every wrapper that has options calls this function.
  @usableFromInline
  static func note(_ options: [MagicOption], of property: PropertyReference) {
    guard !options.isEmpty, let entry = current, entry.type != nil else { return }
    entry.options[ObjectIdentifier(property.storage)] = (property.storage, options)
  }

  /// Collects the relationship of a property through a join type. At any other time the
  /// relationship is not created.
  package static func note(
    of property: PropertyReference, through relationship: () -> any ThroughRelationship
  ) {
    guard let entry = current, entry.type != nil else { return }
    let box = ObjectIdentifier(property.storage)
    entry.relationships[box] = relationship()
    // Retains the box.
    entry.options[box] = (property.storage, [])
  }

  /// What the wrappers of an object have collected, by property box.
  struct Collected {
    let options: [ObjectIdentifier: [MagicOption]]
    let relationships: [ObjectIdentifier: any ThroughRelationship]
  }

  /// Creates an object and returns it with what its wrappers collected.
  static func make<Model: MagicObject>(
    _ type: Model.Type
  ) -> (template: Model, collected: Collected) {
    let (template, entry) = making(type) { Model() }
    return (
      template,
      Collected(
        options: entry.options.mapValues(\.options), relationships: entry.relationships)
    )
  }

  /// Runs code of the type that must not need the schema of the type.
  static func withoutSchema<Model: MagicObject, Result>(
    of type: Model.Type, _ body: () throws -> Result
  ) rethrows -> Result {
    try making(type, body).result
  }

  /// Whether this thread is evaluating a key path on a template.
  static var isEvaluating: Bool { current.map { $0.type == nil } ?? false }

  /// Evaluates key paths on the template of a type, whose properties may have no values.
  package static func evaluating<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isEvaluating { return try body() }
    return try withCurrent(current.map { Entry(nil, outer: $0) } ?? evaluation, body)
  }

  /// The entry of every thread that evaluates key paths and reflects no type. No options are
  /// collected in it.
  private nonisolated(unsafe) static let evaluation = Entry(nil, outer: nil)

  private static func making<Model: MagicObject, Result>(
    _ type: Model.Type, _ body: () throws -> Result
  ) rethrows -> (result: Result, entry: Entry) {
    let entry = Entry(type, outer: current)
    return (try withCurrent(entry, body), entry)
  }

  private static func withCurrent<Result>(
    _ entry: Entry, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = magic_thread_word_get()
    magic_thread_word_set(Unmanaged.passUnretained(entry).toOpaque())
    defer { magic_thread_word_set(outer) }
    return try withExtendedLifetime(entry) { try body() }
  }
}
