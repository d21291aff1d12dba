extension PropertyReference {
  /// The box of a lazy property, if it has one.
  package var lazyPropertyBox: LazyPropertyBox? {
    if isBox { return storage as? LazyPropertyBox }
    return withExtendedLifetime(storage) { row.existingRecord?.box(at: column) as? LazyPropertyBox }
  }

  /// Returns the box of a lazy property, which is created if it does not exist.
  package func lazyPropertyBoxForChange() -> LazyPropertyBox? {
    if let propertyBox = lazyPropertyBox { return propertyBox }
    guard !isBox else { return nil }
    return withExtendedLifetime(storage) {
      let new = LazyPropertyBox(isNullInRow ? .null : .row, target: targetInRow)
      return row.record.install(new, at: column) as? LazyPropertyBox
    }
  }

  /// Sets the content of a lazy property that was loaded with its row, so that it need not be read
  /// again.
  package func preload<Content: Sendable>(_ content: Content) {
    lazyPropertyBoxForChange()?.setPreload(LazyBox(content))
  }

  /// Returns the content that was loaded with the row of a lazy property; nil if there is none.
  package func preloaded<Content: Sendable>(_ type: Content.Type) -> Content? {
    (lazyPropertyBox?.preload as? LazyBox<Content>)?.content?.0
  }

  /// Whether the property is NULL in a fetched row.
  package var isNullInRow: Bool {
    guard !isBox else { return false }
    return withExtendedLifetime(storage) {
      column < RowChunk.columnCount(of: row) && row.isNull(column)
    }
  }

  /// The row that a lazy to-one refers to in a fetched row.
  package var targetInRow: LazyTarget? {
    guard !isBox else { return nil }
    return withExtendedLifetime(storage) {
      guard column < RowChunk.columnCount(of: row), !row.isNull(column) else { return nil }
      return LazyTarget(
        store: row.chunk.store, zIndex: row.slot(column).load(as: Int64.self))
    }
  }

  /// Returns the value that a wrapper has for a lazy property: a reference to the content.
  @usableFromInline @inline(never)
  func lazyValue<Value>(_ type: Value.Type) -> Value? {
    guard let type = type as? any LazyValue.Type else { return nil }
    if let propertyBox = lazyPropertyBox {
      if case .null = propertyBox.state { return nil }
    } else if isNullInRow {
      return nil
    }
    return type.init(.place(self)) as? Value
  }
}

extension LazyReference {
  /// Sets the content of a lazy value in memory, for all copies of the value.
  package func set<Content: Sendable>(_ content: Content) {
    switch self {
    case .box(let box):
      guard let box = box as? LazyBox<Content> else { return }
      if !box.set(content).isSet, let place = box.place {
        place.lazyPropertyBoxForChange()?.set(content)
      }
    case .place(let place):
      place.lazyPropertyBoxForChange()?.set(content)
    }
  }
}
