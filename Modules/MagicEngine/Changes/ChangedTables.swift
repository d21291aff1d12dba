/// The changes of types' tables, by the names of the tables, which are case-folded.
///
/// They are in an array, because most transactions change one table or a few: comparing their names takes
/// less time than hashing them, and changes in an array are accessed in place.
package struct ChangedTables: Sendable {
  package struct Table: Sendable {
    package let name: String
    package var changes: TableChanges
  }

  /// The tables, each once.
  package var list: [Table] = []

  package init() {}

  package var isEmpty: Bool { list.isEmpty }

  package var values: [TableChanges] { list.map(\.changes) }

  package func index(of name: String) -> Int? { list.firstIndex { $0.name == name } }

  package subscript(name: String) -> TableChanges? {
    get { index(of: name).map { list[$0].changes } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let changes?): list[index].changes = changes
      case (let index?, nil): list.remove(at: index)
      case (nil, let changes?): list.append(Table(name: name, changes: changes))
      case (nil, nil): break
      }
    }
  }

  package subscript(
    name: String, default changes: @autoclosure () -> TableChanges
  ) -> TableChanges {
    get { self[name] ?? changes() }
    _modify {
      let index = index(of: name) ?? list.count
      if index == list.count { list.append(Table(name: name, changes: changes())) }
      yield &list[index].changes
    }
  }

  package mutating func removeValue(forKey name: String) -> TableChanges? {
    index(of: name).map { list.remove(at: $0).changes }
  }

  /// Whether a table has changed rows.
  package func hasRows(of name: String) -> Bool {
    index(of: name).map { !list[$0].changes.isEmpty } ?? false
  }

  /// Whether no table has changed rows.
  package var isWithoutRows: Bool {
    for index in list.indices where !list[index].changes.isEmpty { return false }
    return true
  }

  /// Removes the tables without changed rows.
  package mutating func removeEmpty() {
    for index in list.indices.reversed() where list[index].changes.isEmpty {
      list.remove(at: index)
    }
  }
}
