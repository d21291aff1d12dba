/// The observed changes of one committed transaction, or of several consecutive transactions.
///
/// Table names are case-folded.
package struct CommittedChanges: Sendable {
  /// The changed rows of types' tables.
  package var tables = ChangedTables()
  /// Other tables that were changed: join tables, and tables without a type.
  package var others: Set<String> = []
  /// Tables whose changed rows are not known, because the schema of the table was changed.
  package var unknown: Set<String> = []
  /// Whether nothing is known about the changes.
  package var isUnknown = false
  /// Whether another process has written.
  package var isExternal = false
  /// The number of transactions.
  package var transactionCount = 1

  package init() {}

  /// A reference to changes. Most transactions have no observed changes, and a nil reference is
  /// smaller than an empty value.
  package final class Shared {
    package let value: CommittedChanges

    package init(_ value: CommittedChanges) { self.value = value }
  }

  /// The changes of another process.
  static var external: CommittedChanges {
    var changes = CommittedChanges()
    (changes.isUnknown, changes.isExternal) = (true, true)
    return changes
  }

  /// The changes of a commit that was not recorded.
  static var unrecorded: CommittedChanges {
    var changes = CommittedChanges()
    changes.isUnknown = true
    return changes
  }

  package var isEmpty: Bool {
    !isUnknown && others.isEmpty && unknown.isEmpty && tables.isWithoutRows
  }

  /// The number of changed rows of types' tables.
  var rowCount: Int { tables.list.reduce(0) { $0 + $1.changes.rows.count } }

  /// Calls a body with the names of the tables with changes. A name may occur several times.
  func forEachTableName(_ body: (String) -> Void) {
    for index in tables.list.indices { body(tables.list[index].name) }
    for name in others { body(name) }
    for name in unknown { body(name) }
  }

  /// Whether the changed rows of a table are not known.
  package func isUnknown(_ table: String) -> Bool { isUnknown || unknown.contains(table) }

  /// Removes what does not concern a type's table.
  package mutating func select(_ table: String) {
    if !others.isEmpty { others = [] }
    if !unknown.isEmpty { unknown = unknown.contains(table) ? [table] : [] }
    tables.list.removeAll { $0.name != table }
  }

  /// Adds the changes of a later transaction.
  mutating func append(_ later: CommittedChanges) {
    transactionCount += later.transactionCount
    isExternal = isExternal || later.isExternal
    isUnknown = isUnknown || later.isUnknown
    if !later.others.isEmpty { others.formUnion(later.others) }
    if !later.unknown.isEmpty { unknown.formUnion(later.unknown) }
    for table in later.tables.list {
      guard let index = tables.index(of: table.name) else {
        tables.list.append(table)
        continue
      }
      if tables.list[index].changes.names.hasSameColumns(table.changes.names) {
        tables.list[index].changes.append(table.changes)
        if tables.list[index].changes.isEmpty { tables.list.remove(at: index) }
      } else {
        // The schema of the table was changed in between.
        unknown.insert(table.name)
        tables.list[index] = table
      }
    }
  }
}
