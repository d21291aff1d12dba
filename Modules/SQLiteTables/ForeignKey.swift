package import MagicSchema

/// The foreign keys of the library's columns.
package enum ForeignKey {
  /// Returns the foreign key clause of a column that refers to a table. SQLite checks it at the end
  /// of a transaction, so that rows that refer to each other can be saved.
  package static func clause(to table: String, rule: MagicDeleteRule) -> String {
    let action =
      switch rule {
      case .nullify: " ON DELETE SET NULL"
      case .cascade: " ON DELETE CASCADE"
      case .deny: ""
      }
    return "REFERENCES \(table.quoted) (\"z_index\")\(action) DEFERRABLE INITIALLY DEFERRED"
  }
}
