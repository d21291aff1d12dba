package import MagicEngine
package import MagicSchema
package import SQLiteFiles
package import SQLiteTables

/// The objects that all connections of a database share.
package struct StoreContext {
  package let token: StoreToken
  package let owners: TableOwners
  package let snapshots: OpenSnapshots
  package let files: StoreFiles
  /// Nil if slow queries are not reported.
  package let diagnostics: Diagnostics?
  package let leases: StoreLeases
  package let lifecycle: StoreLifecycle
  package let migrator: any StoreMigrator
  /// Nil if no rows are cached.
  package let cache: RowCache?
  /// The number of objects of one call from which indexes of tables without rows are created after the
  /// rows.
  package let postponingMinimum: Int

  package init(
    token: StoreToken, owners: TableOwners, snapshots: OpenSnapshots, files: StoreFiles,
    diagnostics: Diagnostics?, leases: StoreLeases, lifecycle: StoreLifecycle,
    migrator: any StoreMigrator, cache: RowCache? = nil, postponingMinimum: Int
  ) {
    self.token = token
    self.owners = owners
    self.snapshots = snapshots
    self.files = files
    self.diagnostics = diagnostics
    self.leases = leases
    self.lifecycle = lifecycle
    self.migrator = migrator
    self.cache = cache
    self.postponingMinimum = postponingMinimum
  }
}
