/// The rules that the names of tables and columns must satisfy.
enum NameRules {
  static func check(
    _ name: String, of kind: String, refuse: (String) -> MagicError
  ) throws {
    guard !name.isEmpty else { throw refuse("The \(kind) name is empty.") }
    guard !name.utf8.contains(0) else { throw refuse("The \(kind) name contains a NUL character.") }
    guard !name.lowercased().hasPrefix("sqlite_") else {
      throw refuse(
        "Names that begin with sqlite_ are reserved for the database engine. Rename the \(kind).")
    }
  }
}
