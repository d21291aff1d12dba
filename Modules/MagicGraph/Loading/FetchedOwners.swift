package import MagicSchema

/// The fetched owners of a row, with everything that they refer to.
///
/// The type is not generic, although one type of objects is created from it. Each step of an awaited
/// call would look up the metadata of a generic result.
///
/// Fetched rows are immutable, so they can be used by another thread than the one that fetched them.
package struct FetchedOwners: @unchecked Sendable {
  private let chunks: [RowChunk]
  /// Retain the chunks and what the rows refer to.
  private let storages: [PropertyStorage]
  /// Whether there may be more owners.
  package let isPart: Bool

  init(_ chunks: [RowChunk], isPart: Bool) {
    self.chunks = chunks
    storages = chunks.map(\.rootStorage)
    self.isPart = isPart
  }

  /// The row ID of the last owner; nil if there are none.
  package var last: Int64? { chunks.last.map { $0.row($0.rowCount - 1).zIndex } }

  /// Creates the objects of the rows, in row ID order.
  package func makeObjects<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema
  ) -> [Model] {
    withExtendedLifetime(storages) { schema.makeObjects(type, from: chunks) }
  }
}
