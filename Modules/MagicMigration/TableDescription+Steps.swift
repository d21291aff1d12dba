package import MagicSchema
package import SQLiteTables

extension TableDescription {
  /// Returns whether a collection was a to-one relationship before.
  package func hasToOne(for column: CollectionColumn, of schema: ObjectSchema) -> Bool {
    schema.names(of: column).contains {
      self.column(named: $0)?.toOne != nil
    }
  }

  /// Replaces the columns of an owned list whose members are in this table. Nil for columns that do
  /// not exist before, or after.
  mutating func replaceOwned(_ old: OwnedColumns?, by new: OwnedColumns?) {
    if let old { owned.removeAll { $0.owner.isName(old.owner) && $0.table.isName(old.table) } }
    if let new, new.table.isName(name) { owned.append(new) }
  }

  /// Returns the description of the table after a step, with the properties of its columns that the
  /// plan knows but the file does not record.
  ///
  /// - Parameters:
  ///   - planned: the planned description after the step.
  ///   - before: the description before the step.
  ///   - written: the columns that a closure has set; nil if no closure has run.
  package func mergingPlanned(
    _ planned: TableDescription, before: TableDescription, written: Set<String>?
  ) -> TableDescription {
    var description = self
    description.isDetached = planned.isDetached
    description.version = planned.version
    for index in description.columns.indices {
      let name = description.columns[index].name
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
      description.columns[index] = column
    }
    for index in description.collections.indices {
      let name = description.collections[index].relationship.column
      description.collections[index].mayLose = planned.collection(named: name)?.mayLose ?? false
    }
    return description
  }
}
