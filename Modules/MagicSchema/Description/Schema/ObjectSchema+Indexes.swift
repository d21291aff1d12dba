import MagicRuntime

extension ObjectSchema {
  /// All indexes of the table, except those that no type declares. The indexes over expressions and
  /// the partial indexes are the last ones. They are missing if one of them is invalid: ``reach``
  /// throws the error.
  package var indexes: [IndexSchema] {
    hasComputedIndexes ? columnIndexes + ((try? computedIndexes) ?? []) : columnIndexes
  }

  /// The indexes over expressions and the partial indexes.
  ///
  /// - Throws: `MagicError` with `.invalidSchema` if an expression cannot be indexed.
  package var computedIndexes: [IndexSchema] {
    get throws {
      if let cached = resolution.withLock({ resolution.computedIndexes }) { return cached }
      let indexes = try makeComputedIndexes()
      resolution.withLock { resolution.computedIndexes = indexes }
      return indexes
    }
  }

  /// Returns what a higher layer has derived from the indexes over expressions and the partial indexes,
  /// which it derives once. Nil if one of them is invalid. All calls must have the same result type.
  package func cachedIndexFacts<Facts: Sendable>(
    _ derive: ([IndexSchema]) -> Facts
  ) -> Facts? {
    if let cached = resolution.withLock({ resolution.indexFacts }) as? Facts { return cached }
    guard let indexes = try? computedIndexes else { return nil }
    let facts = derive(indexes)
    resolution.withLock { resolution.indexFacts = facts }
    return facts
  }

  private func makeComputedIndexes() throws -> [IndexSchema] {
    var indexes: [IndexSchema] = []
    for index in unresolvedIndexes {
      let schema = IndexSchema(
        table: tableName, columns: index.columns, computed: try index.make(),
        isUnique: index.isUnique)
      guard !indexes.contains(schema) else { continue }
      let name = schema.name.lowercased()
      guard !indexes.contains(where: { $0.name.lowercased() == name }) else {
        throw MagicError(
          .invalidSchema,
          "Two indexes differ only in the case of letters. Remove one of them.", type: typeName)
      }
      indexes.append(schema)
    }
    return indexes
  }
}
