import MagicSchema
import PostgreSQLTables

extension EngineSession {
  /// Notes a type if the database describes its properties otherwise.
  ///
  /// A type with the table of a later version is not noted: the later version describes it.
  func checkDescription(_ recorded: RecordedType, of schema: ObjectSchema) throws {
    guard recorded.fingerprint == schema.fingerprint,
      !outdatedDescriptions.contains(where: { $0 === schema }),
      try recorded.properties != StoredProperty.fingerprint(of: schema)
    else { return }
    outdatedDescriptions.append(schema)
  }

  /// Returns the statements that describe the noted types again, and forgets these types.
  ///
  /// - Parameter hasWritten: whether a transaction has written; without one nothing is returned.
  func sqlDescribingProperties(ifWritten hasWritten: Bool) -> [String] {
    guard hasWritten, !outdatedDescriptions.isEmpty else { return [] }
    defer { outdatedDescriptions = [] }
    // The properties of these types were described once already, so this does not fail.
    return outdatedDescriptions.compactMap { try? PropertyDescriptions.replace(with: $0) }
  }
}
