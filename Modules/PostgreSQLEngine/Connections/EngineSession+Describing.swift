import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

extension EngineSession {
  /// Notes a type if the database describes its properties otherwise.
  ///
  /// A type with the table of a later version is not noted: the later version describes it.
  func checkDescription(_ recorded: RecordedType, of schema: ObjectSchema) throws {
    guard recorded.fingerprint == schema.fingerprint,
      !outdatedDescriptions.contains(where: { $0 === schema }),
      try recorded.properties != schema.propertiesFingerprint
    else { return }
    outdatedDescriptions.append(schema)
  }

  /// Describes the noted types again, each in a transaction of its own.
  func describeProperties() {
    let schemas = outdatedDescriptions
    outdatedDescriptions = []
    for schema in schemas {
      do {
        // The properties of the type were described once already, so this does not fail.
        let replacement = try PropertyDescriptions.replace(with: schema)
        // A migration has a lock of the row until its end.
        try connection.execute(
          "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout TO 100; "
            + "\(replacement); COMMIT")
      } catch {
        connection.rollBack()
        // A role that may not do it is not asked again.
        guard (error as? PostgreSQLError)?.sqlState != "42501" else { continue }
        outdatedDescriptions.append(schema)
      }
    }
  }
}
