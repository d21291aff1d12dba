import MagicSchema
package import MagicStore

// Bindings to a snapshot, for reads that are repeated on newer snapshots.

extension MagicQuery {
  /// Returns the query with the snapshot as its source.
  package func onSnapshot(
    _ snapshot: borrowing MagicSnapshot
  ) -> MagicQuery<Model, _MagicSnapshotContext> {
    MagicQuery<Model, _MagicSnapshotContext>(
      plan: plan, loading: loading, source: snapshot.context)
  }
}

extension MagicSelection {
  /// Returns the selection with the snapshot as its source.
  package func onSnapshot(
    _ snapshot: borrowing MagicSnapshot
  ) -> MagicSelection<Model, Row, _MagicSnapshotContext> {
    MagicSelection<Model, Row, _MagicSnapshotContext>(
      plan: plan, source: snapshot.context, reader: reader)
  }
}

extension MagicGroups {
  /// Returns the groups with the snapshot as their source.
  package func onSnapshot(
    _ snapshot: borrowing MagicSnapshot
  ) -> MagicGroups<Model, Key, _MagicSnapshotContext> {
    MagicGroups<Model, Key, _MagicSnapshotContext>(
      plan: plan, source: snapshot.context, key: key)
  }
}

extension MagicSections {
  /// Returns the sections with the snapshot as their source.
  package func onSnapshot(
    _ snapshot: borrowing MagicSnapshot
  ) -> MagicSections<Model, Key, _MagicSnapshotContext> {
    MagicSections<Model, Key, _MagicSnapshotContext>(
      query: query.onSnapshot(snapshot), key: key, direction: direction)
  }
}
