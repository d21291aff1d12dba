import CMagicRuntime

/// Collects what the wrappers of one type say of their columns while an object of the type is made
/// for reflection. At any other time they say it to no one.
@usableFromInline
package enum Reflector {
  private final class Notes {
    /// The type that is looked at; nil while a key path is evaluated.
    let type: ObjectIdentifier?
    /// Those of the type whose init asked for this one's.
    let outer: Notes?
    /// The storage is kept so that no later one gets its address, and with it its options: an
    /// object that a default makes and drops comes and goes here too.
    var options: [ObjectIdentifier: (storage: PropertyStorage, options: [MagicOption])] = [:]

    init(_ type: (any MagicObject.Type)?, outer: Notes?) {
      self.type = type.map { ObjectIdentifier($0) }
      self.outer = outer
    }
  }

  private static var current: Notes? {
    magic_thread_word_get().map { Unmanaged<Notes>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether this thread is making an object of the type for reflection: then the type's own init
  /// asks, for its z-index say, and would be called again without end.
  static func isMaking(_ type: any MagicObject.Type) -> Bool {
    var notes = current
    while let present = notes {
      if present.type == ObjectIdentifier(type) { return true }
      notes = present.outer
    }
    return false
  }

  /// Called by every wrapper that was given options.
  @usableFromInline
  static func note(_ options: [MagicOption], of property: PropertyReference) {
    guard !options.isEmpty, let notes = current, notes.type != nil else { return }
    notes.options[ObjectIdentifier(property.storage)] = (property.storage, options)
  }

  /// Makes an object and gives back what its wrappers said, by their boxes.
  static func make<Model: MagicObject>(
    _ type: Model.Type
  ) -> (template: Model, options: [ObjectIdentifier: [MagicOption]]) {
    let (template, notes) = making(type) { Model() }
    return (template, notes.options.mapValues(\.options))
  }

  /// Runs code of the type's that must not ask for the type's schema.
  static func withoutSchema<Model: MagicObject, Result>(
    of type: Model.Type, _ body: () throws -> Result
  ) rethrows -> Result {
    try making(type, body).result
  }

  /// Whether this thread is evaluating a key path on a template.
  static var isEvaluating: Bool { current.map { $0.type == nil } ?? false }

  /// Evaluates key paths on a type's template, whose properties may have no values.
  package static func evaluating<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isEvaluating { return try body() }
    return try noting(in: current.map { Notes(nil, outer: $0) } ?? evaluation, body)
  }

  /// The state of every thread that does nothing but evaluate; nothing is noted in it.
  private nonisolated(unsafe) static let evaluation = Notes(nil, outer: nil)

  private static func making<Model: MagicObject, Result>(
    _ type: Model.Type, _ body: () throws -> Result
  ) rethrows -> (result: Result, notes: Notes) {
    let notes = Notes(type, outer: current)
    return (try noting(in: notes, body), notes)
  }

  private static func noting<Result>(
    in notes: Notes, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = magic_thread_word_get()
    magic_thread_word_set(Unmanaged.passUnretained(notes).toOpaque())
    defer { magic_thread_word_set(outer) }
    return try withExtendedLifetime(notes) { try body() }
  }
}
