/// What an engine's databases can do beside reading and writing objects.
package struct EngineCapabilities: Sendable {
  /// The dialect of raw statements, such as "PostgreSQL"; nil for an engine that runs none.
  package let dialect: String?
  /// Whether a database has files: assets are stored, and it is verified, repaired and copied.
  package let hasFiles: Bool
  /// Whether other processes may have the database open.
  package let isSharedBetweenProcesses: Bool

  package init(dialect: String?, hasFiles: Bool, isSharedBetweenProcesses: Bool) {
    self.dialect = dialect
    self.hasFiles = hasFiles
    self.isSharedBetweenProcesses = isSharedBetweenProcesses
  }
}
