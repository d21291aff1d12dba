import MagicSchema

/// What all connections of a store have in common.
struct StoreSurroundings {
  let token: StoreToken
  let claims: TableClaims
  let snapshots: OpenSnapshots
  let files: StoreFiles
  /// Nil where nobody wants to know of slow ways of asking.
  let diagnostics: Diagnostics?
  let users: StoreUsers
  let admission: Admission
  let migrator: any StoreMigrator
}
