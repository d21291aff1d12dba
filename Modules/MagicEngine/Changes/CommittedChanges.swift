/// What one committed transaction changed, of what is observed; or several, one after the other.
///
/// Tables go by their folded names.
package struct CommittedChanges: Sendable {
  /// The rows of types' tables.
  package var tables: [String: TableChanges] = [:]
  /// Other tables that were changed: of links, and those without a type.
  package var others: Set<String> = []
  /// Tables of which it is not known which rows changed: their schema was changed.
  package var unknown: Set<String> = []
  /// Whether it is not known what changed at all.
  package var isUnknown = false
  /// Whether another process has written.
  package var isExternal = false
  /// How many transactions it is of.
  package var transactionCount = 1

  package init() {}

  /// Most transactions have none, and an empty reference is less than empty values.
  package final class Shared {
    package let value: CommittedChanges

    package init(_ value: CommittedChanges) { self.value = value }
  }

  /// Another process has written.
  static var external: CommittedChanges {
    var changes = CommittedChanges()
    (changes.isUnknown, changes.isExternal) = (true, true)
    return changes
  }

  /// Something was committed that was not recorded.
  static var untold: CommittedChanges {
    var changes = CommittedChanges()
    changes.isUnknown = true
    return changes
  }

  package var isEmpty: Bool {
    !isUnknown && others.isEmpty && unknown.isEmpty && tables.allSatisfy(\.value.isEmpty)
  }

  /// How many rows of types' tables it has.
  var rowCount: Int { tables.values.reduce(0) { $0 + $1.rows.count } }

  /// The tables that it is about.
  var tableNames: Set<String> { others.union(unknown).union(tables.keys) }

  /// Whether it is not known which rows of a table changed.
  package func isUnknown(_ table: String) -> Bool { isUnknown || unknown.contains(table) }

  /// Adds what happened later.
  mutating func append(_ later: CommittedChanges) {
    transactionCount += later.transactionCount
    isExternal = isExternal || later.isExternal
    isUnknown = isUnknown || later.isUnknown
    others.formUnion(later.others)
    unknown.formUnion(later.unknown)
    for (name, changes) in later.tables {
      guard var known = tables[name] else {
        tables[name] = changes
        continue
      }
      if known.names.isAlike(changes.names) {
        known.append(changes)
        tables[name] = known.isEmpty ? nil : known
      } else {
        // The table was brought to another shape in between.
        unknown.insert(name)
        tables[name] = changes
      }
    }
  }
}
