package import MagicSchema
package import SQLiteTables

extension TableDescription {
  /// Whether a collection was an object.
  package func hasToOne(for column: CollectionColumn, of schema: ObjectSchema) -> Bool {
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
  package func carrying(
    _ planned: TableDescription, from before: TableDescription, written: Set<String>?
  ) -> TableDescription {
    var description = self
    description.isDetached = planned.isDetached
    description.version = planned.version
    for place in description.columns.indices {
      let name = description.columns[place].name
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
      description.columns[place] = column
    }
    for place in description.collections.indices {
      let name = description.collections[place].relationship.column
      description.collections[place].mayLose = planned.collection(named: name)?.mayLose ?? false
    }
    return description
  }
}
