import CMagicRuntime

/// Collects what the wrappers of one type say of their columns while an object of the type is made
/// for reflection. At any other time they say it to nobody.
@usableFromInline
package enum Reflector {
  private final class Notes {
    /// The storage is kept so that no later one gets its address, and with it its options: an
    /// object that a default makes and drops comes and goes here too.
    var options: [ObjectIdentifier: (storage: PropertyStorage, options: [MagicOption])] = [:]
  }

  /// Called by every wrapper that was given options.
  @usableFromInline
  static func note(_ options: [MagicOption], of property: PropertyReference) {
    guard !options.isEmpty, let word = magic_thread_word_get() else { return }
    let notes = Unmanaged<Notes>.fromOpaque(word).takeUnretainedValue()
    notes.options[ObjectIdentifier(property.storage)] = (property.storage, options)
  }

  /// Makes an object and gives back what its wrappers said, by their cells.
  static func make<Model: MagicObject>(
    _ type: Model.Type
  ) -> (template: Model, options: [ObjectIdentifier: [MagicOption]]) {
    let notes = Notes()
    let outer = magic_thread_word_get()
    magic_thread_word_set(Unmanaged.passUnretained(notes).toOpaque())
    defer { magic_thread_word_set(outer) }
    let template = Model()
    return withExtendedLifetime(notes) { (template, notes.options.mapValues(\.options)) }
  }
}
