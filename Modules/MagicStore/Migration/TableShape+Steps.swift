import MagicSchema

extension TableShape {
  /// Whether a collection was an object.
  func hasToOne(for column: CollectionColumn, of schema: ObjectSchema) -> Bool {
    schema.names(of: column).contains {
      self.column(named: $0)?.toOne != nil
    }
  }

  /// The table as a step has left it, with what is known of its columns beyond the file.
  ///
  /// - Parameters:
  ///   - planned: what it was to become.
  ///   - before: what it was.
  ///   - written: the columns that a closure has set; nil where none has run.
  func carrying(
    _ planned: TableShape, from before: TableShape, written: Set<String>?
  ) -> TableShape {
    var shape = self
    shape.isDetached = planned.isDetached
    shape.version = planned.version
    for place in shape.columns.indices {
      let name = shape.columns[place].name
      guard let known = planned.columns.first(where: { $0.name == name }) else { continue }
      var column = known
      column.values = .stored(as: name)
      if let written {
        if written.contains(name.folded) {
          column.isRequired = false
        } else {
          column.isFree = before.columns.first { $0.name == name }?.isFree ?? known.isFree
        }
      }
      shape.columns[place] = column
    }
    for place in shape.collections.indices {
      let name = shape.collections[place].relationship.column
      shape.collections[place].mayLose = planned.collection(named: name)?.mayLose ?? false
    }
    return shape
  }
}
