package import MagicStore

extension MagicStatement {
  /// Returns the statement with the snapshot as its source.
  package func onSnapshot(
    _ snapshot: borrowing MagicSnapshot
  ) -> MagicStatement<_MagicSnapshotContext> {
    MagicStatement<_MagicSnapshotContext>(source: snapshot.context, sql: sql)
  }
}
