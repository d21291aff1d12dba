import Foundation

/// Names of types for tables and error messages.
package enum TypeName {
  /// Returns the name of a type without its module.
  ///
  /// Not inlined, so that the name is determined at run time. With a type that is known at compile
  /// time, an optimised build would give a private type another name than a debug build does, and
  /// so another table.
  @inline(never)
  package static func unqualified(_ type: Any.Type) -> String { String(describing: type) }

  /// Returns the name of a type with its module. For a type inside a function the module is
  /// omitted, because the full name would contain addresses.
  @inline(never)
  package static func qualified(_ type: Any.Type) -> String {
    let name = String(reflecting: type)
    return name.contains("unknown context") ? unqualified(type) : name
  }
}
