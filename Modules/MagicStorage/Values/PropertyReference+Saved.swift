package import Magical

extension PropertyReference {
  /// Gives a changed property the value that it had when its object was last fetched or saved.
  package func revert<Value: Magical & Sendable>(_ type: Value.Type) {
    withExtendedLifetime(storage) {
      valueBox(type)?.revert(toFetched: fetchedBox(type))
    }
  }

  /// Returns a box with the value that the property had when its object was last fetched or saved.
  /// Valid as long as the object. Nil if there is no such value.
  package func savedBox<Value: Magical & Sendable>(_ type: Value.Type) -> PropertyBox<Value>? {
    withExtendedLifetime(storage) {
      let fetched = fetchedBox(type)
      return valueBox(type).map { $0.savedCopy(fetched: fetched) } ?? fetched
    }
  }

  private func valueBox<Value: Magical & Sendable>(_ type: Value.Type) -> PropertyBox<Value>? {
    existingBox(Value._packing) as? PropertyBox<Value>
  }

  /// Returns a box with the value in the fetched row; nil if there is no row, or if the row contains
  /// a box, whose value changes.
  private func fetchedBox<Value: Magical & Sendable>(_ type: Value.Type) -> PropertyBox<Value>? {
    guard !isBox, column < RowChunk.columnCount(of: row) else { return nil }
    if row.isNull(column) { return PropertyBox(nil, isChanged: false) }
    guard Value._packing != .object, Value._packing != .link || !row.wasExcluded(column) else {
      return nil
    }
    return PropertyBox(row.fetchedValue(type, column), isChanged: false)
  }
}
