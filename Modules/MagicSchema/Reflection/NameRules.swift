/// What the names of tables and columns must fulfil.
enum NameRules {
  static func check(
    _ name: String, of kind: String, refuse: (String) -> MagicError
  ) throws {
    guard !name.isEmpty else { throw refuse("The \(kind) name is empty.") }
    guard !name.utf8.contains(0) else { throw refuse("The \(kind) name holds a NUL character.") }
    guard !name.lowercased().hasPrefix("sqlite_") else {
      throw refuse("Names that begin with sqlite_ belong to the database engine.")
    }
  }
}
