import MagicSchema

/// What all connections of a store have in common.
struct StoreContext {
  let token: StoreToken
  let owners: TableOwners
  let snapshots: OpenSnapshots
  let files: StoreFiles
  /// Nil where slow queries are not reported.
  let diagnostics: Diagnostics?
  let leases: any LeaseIssuer
  let lifecycle: StoreLifecycle
  let migrator: any StoreMigrator
  /// Finds the files of an open database by its token; nil for one that is closed.
  let otherFiles: @Sendable (StoreToken) -> StoreFiles?
}
