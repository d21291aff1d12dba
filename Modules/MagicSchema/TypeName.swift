/// The names of types.
enum TypeName {
  /// A type's name without its module.
  ///
  /// Asked at run time of a type that the compiler does not know: where it does, an optimised build
  /// puts in another name for a private type than a debug build finds, and with it another table.
  @inline(never)
  static func unqualified(_ type: Any.Type) -> String { String(describing: type) }
}
