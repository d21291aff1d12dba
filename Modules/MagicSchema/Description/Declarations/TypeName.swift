/// The names of types.
enum TypeName {
  /// A type's name without its module.
  ///
  /// Asked at run time of a type that the compiler does not know: where it does, an optimised build
  /// puts in another name for a private type than a debug build finds, and with it another table.
  @inline(never)
  static func unqualified(_ type: Any.Type) -> String { String(describing: type) }

  /// A type's name with its module, or without it for a type inside a function, whose full name
  /// holds addresses.
  @inline(never)
  static func qualified(_ type: Any.Type) -> String {
    let name = String(reflecting: type)
    return name.contains("unknown context") ? unqualified(type) : name
  }
}
