import MagicEngine
public import MagicQuery
import MagicRuntime
public import MagicSchema
import MagicStore
public import Magical

/// The process that made changes.
public enum MagicChangeOrigin: Sendable, Hashable {
  /// This process, through any `MagicData`, method or raw SQL.
  case process
  /// Another process, and possibly also this process. The changed rows of a file are unknown; a server
  /// of PostgreSQL reports them.
  case external
}

/// The changes that a committed transaction made to the objects of a type, or the combined changes
/// of several transactions, if elements were merged.
///
/// ```swift
/// for await changes in magic.changes(of: Person.self) {
///   print(changes.inserted.count, changes.updated.count, changes.deleted.count)
///   if changes.hasChanged(\.$name) { print("names have changed") }
/// }
/// ```
///
/// The changes are the difference between the rows after and before the transaction. A row that was
/// inserted and deleted again is not a change. A value that was changed and set back to its old
/// value is not a change either. In merged changes, however, a value that one transaction changed
/// and a later one restored is included as changed.
public struct MagicChanges<Model: MagicObject>: Sendable {
  /// The row IDs of the inserted rows.
  public let inserted: Set<ZIndex>
  /// The row IDs of the deleted rows, whether by `remove`, a cascade or raw SQL.
  public let deleted: Set<ZIndex>
  /// The changed properties of each updated row, by row ID.
  public let updated: [ZIndex: MagicColumns<Model>]
  /// The process that made the changes; ``MagicChangeOrigin/external`` if another process made at
  /// least one of them.
  public let origin: MagicChangeOrigin
  /// Whether the row IDs are complete. If false, any row may have changed. Changes are incomplete
  /// if another process has written to a file, if the type's table was migrated, or if a write was already
  /// running when the stream was created.
  public let isComplete: Bool
  /// The number of transactions that made the changes; more than one if elements were merged.
  public let transactionCount: Int

  private let columns: MagicColumns<Model>
  private let rows: TableChanges?

  init(_ changes: CommittedChanges, of schema: ObjectSchema) {
    let table = changes.tables[schema.observedName]
    var (inserted, deleted) = (Set<ZIndex>(), Set<ZIndex>())
    var updated: [ZIndex: MagicColumns<Model>] = [:]
    var all = ColumnSet()
    if let table {
      let indices = schema.columnIndices(of: table.names)
      func translated(_ columns: ColumnSet) -> ColumnSet {
        var own = ColumnSet()
        columns.forEach { if let index = indices[$0] { own.insert(index) } }
        return own
      }
      all = translated(table.columns)
      // Most updated rows have the same set of changed columns.
      var last = (columns: ColumnSet(), own: MagicColumns<Model>(ColumnSet(), of: schema))
      for row in table.rows {
        let zIndex = ZIndex(rawValue: row.zIndex)
        switch row.kind {
        case .inserted: inserted.insert(zIndex)
        case .deleted: deleted.insert(zIndex)
        case .updated:
          if row.columns != last.columns {
            last = (row.columns, MagicColumns(translated(row.columns), of: schema))
          }
          // A column that the type does not have, such as one of a later version, is not a change
          // of the type.
          if !last.own.isEmpty { updated[zIndex] = last.own }
        }
      }
    }
    self.inserted = inserted
    self.deleted = deleted
    self.updated = updated
    origin = changes.isExternal ? .external : .process
    isComplete = !changes.isUnknown(schema.observedName)
    transactionCount = changes.transactionCount
    columns = MagicColumns(all, of: schema)
    rows = table
  }

  /// Returns whether a property has changed in any row. Inserting or deleting a row changes all of
  /// its properties. True if the changes are incomplete.
  public func hasChanged<Value>(_ path: MagicPath<Model, Value>) -> Bool {
    !isComplete || !inserted.isEmpty || !deleted.isEmpty || columns.contains(path)
  }

  /// Returns whether a row was inserted, updated or deleted. True if the changes are incomplete.
  public func hasChanged(_ zIndex: ZIndex) -> Bool {
    !isComplete || inserted.contains(zIndex) || deleted.contains(zIndex) || updated[zIndex] != nil
  }

  /// Returns whether a row that has or had a primary value was inserted, updated or deleted. True
  /// if the changes are incomplete.
  ///
  /// - Complexity: O(n), where n is the number of changed rows.
  public func hasPrimaryChanged(_ primary: some MagicalPrimaryValue) -> Bool {
    guard isComplete else { return true }
    guard let rows, let digest = ValueDigest(of: primary) else { return false }
    return !rows.hasRecordedPrimaries || rows.rows.contains { $0.hasPrimary(digest) }
  }

  /// Whether the changes are complete and there are none.
  public var isEmpty: Bool {
    isComplete && inserted.isEmpty && deleted.isEmpty && updated.isEmpty
  }
}

extension MagicChanges: CustomStringConvertible {
  /// The numbers of rows that were inserted, updated and deleted.
  public var description: String {
    let rows =
      "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted"
    guard !isComplete else { return rows }
    return origin == .external ? "external" : "\(rows), maybe more"
  }
}

extension ObjectSchema {
  /// The name of the type's table in `CommittedChanges`.
  var observedName: String { tableName.folded }

  /// Returns the index in the type for each column of a table in the file, followed by each
  /// collection; nil for names that the type does not have.
  fileprivate func columnIndices(of names: TableNames) -> [Int?] {
    let own: [PropertySchema] = columns + collections
    return names.names.map { name in own.firstIndex { $0.name.isName(name) } }
  }
}
