import MagicSQLite
import MagicSchema

extension Catalogue {
  /// Throws if a trigger exists that no save could run. Called when triggers are created.
  ///
  /// SQLite checks what a trigger does when it compiles a statement that fires the trigger. This
  /// method compiles a statement of each kind.
  ///
  /// - Throws: `MagicError` with `.untrustedSchema`.
  package func checkTriggersAreTrusted() throws {
    guard try exists("magic_catalogue") else { return }
    let tables = try texts("SELECT \"table_name\" FROM \"magic_catalogue\"")
    for table in tables {
      let columns = try texts("SELECT \"name\" FROM pragma_table_info(?)", table).map(\.quoted)
      let assignments = columns.map { "\($0) = \($0)" }.joined(separator: ", ")
      for statement in [
        "INSERT INTO \(table.quoted) DEFAULT VALUES", "DELETE FROM \(table.quoted)",
        "UPDATE \(table.quoted) SET \(assignments)",
      ] {
        do {
          _ = try connection.prepare(statement)
        } catch  where error.isUntrustedSchemaError {
          let refusal = MagicError(error)
          throw MagicError(
            refusal.code, refusal.message, type: try entry(for: table)?.typeName, cause: error)
        } catch {
          // A save reports other errors.
        }
      }
    }
  }

  private func texts(_ sql: String, _ value: String? = nil) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(sql)
    if let value { try statement.bind(value, at: 1) }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }
}

extension SQLiteError {
  /// Whether a trigger or view calls a function that an untrusted schema may not call.
  package var isUntrustedSchemaError: Bool {
    code == .error && message.hasPrefix("unsafe use of ")
  }
}
