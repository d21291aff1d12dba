/// The optional features of an engine's databases.
package struct EngineCapabilities: Sendable {
  /// The dialect of raw statements, for example "PostgreSQL", or nil for an engine that does not
  /// run raw statements.
  package let dialect: String?
  /// Whether a database has files. If so, it can be repaired and backed up.
  package let hasFiles: Bool
  /// Whether other processes may have the database open.
  package let isSharedBetweenProcesses: Bool

  package init(dialect: String?, hasFiles: Bool, isSharedBetweenProcesses: Bool) {
    self.dialect = dialect
    self.hasFiles = hasFiles
    self.isSharedBetweenProcesses = isSharedBetweenProcesses
  }
}
