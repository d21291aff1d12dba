package import MagicEngine
package import MagicSchema
package import SQLiteFiles
package import SQLiteTables

/// What all connections of a store have in common.
package struct StoreContext {
  package let token: StoreToken
  package let owners: TableOwners
  package let snapshots: OpenSnapshots
  package let files: StoreFiles
  /// Nil where slow queries are not reported.
  package let diagnostics: Diagnostics?
  package let leases: any LeaseIssuer
  package let lifecycle: StoreLifecycle
  package let migrator: any StoreMigrator
  /// Finds the files of an open database by its token; nil for one that is closed.
  package let otherFiles: @Sendable (StoreToken) -> StoreFiles?

  package init(
    token: StoreToken, owners: TableOwners, snapshots: OpenSnapshots, files: StoreFiles,
    diagnostics: Diagnostics?, leases: any LeaseIssuer, lifecycle: StoreLifecycle,
    migrator: any StoreMigrator, otherFiles: @escaping @Sendable (StoreToken) -> StoreFiles?
  ) {
    self.token = token
    self.owners = owners
    self.snapshots = snapshots
    self.files = files
    self.diagnostics = diagnostics
    self.leases = leases
    self.lifecycle = lifecycle
    self.migrator = migrator
    self.otherFiles = otherFiles
  }
}
