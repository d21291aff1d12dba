import MagicEngine
public import MagicQuery
import MagicRuntime
public import MagicSchema
import MagicStore
public import Magical

/// Who has made changes.
public enum MagicChangeOrigin: Sendable, Hashable {
  /// This process, through whichever `MagicData`, verb or raw SQL.
  case process
  /// Another process, maybe beside this one. Nobody knows which rows have changed.
  case external
}

/// What one committed transaction has changed of a type's objects; or several, where they were
/// merged: what they come to together.
///
/// It is what the rows are now against what they were: a row that came and went, or a value that is
/// what it was, is no change. Only where several were merged, a value that one of them changed and
/// another set back counts as changed.
public struct MagicChanges<Model: MagicObject>: Sendable {
  /// The rows that were inserted.
  public let inserted: Set<ZIndex>
  /// The rows that were deleted, whatever did it: `remove`, a cascade, raw SQL.
  public let deleted: Set<ZIndex>
  /// The rows that were there and still are, with the properties that have changed.
  public let updated: [ZIndex: MagicColumns<Model>]
  /// Who has made the changes; ``MagicChangeOrigin/external`` where another process was one of them.
  public let origin: MagicChangeOrigin
  /// Whether the rows are all that have changed. They are not, and any may have, where another
  /// process has written, where the type's table was brought to another shape, and for a write that
  /// was under way already when the stream was made.
  public let isComplete: Bool
  /// How many transactions it is of, more than one where elements were merged.
  public let transactionCount: Int

  private let columns: MagicColumns<Model>
  private let rows: TableChanges?

  init(_ changes: CommittedChanges, of schema: ObjectSchema) {
    let table = changes.tables[schema.observedName]
    var (inserted, deleted) = (Set<ZIndex>(), Set<ZIndex>())
    var updated: [ZIndex: MagicColumns<Model>] = [:]
    var all = ColumnSet()
    if let table {
      let places = schema.places(of: table.names)
      func translated(_ columns: ColumnSet) -> ColumnSet {
        var own = ColumnSet()
        columns.forEach { if let place = places[$0] { own.insert(place) } }
        return own
      }
      all = translated(table.columns)
      // Most rows have one and the same set.
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
          // What the type does not have, as a column of a later version, is no change of it.
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

  /// Whether a property has changed in any row: rows came or went, or it has another value in one. True
  /// where not all changes are known.
  public func hasChanged<Value>(_ path: MagicPath<Model, Value>) -> Bool {
    !isComplete || !inserted.isEmpty || !deleted.isEmpty || columns.contains(path)
  }

  /// Whether a row came, went or has changed. True where not all changes are known.
  public func hasChanged(_ zIndex: ZIndex) -> Bool {
    !isComplete || inserted.contains(zIndex) || deleted.contains(zIndex) || updated[zIndex] != nil
  }

  /// Whether the row with a primary value came, went or has changed, or had this value before. True
  /// where not all changes are known.
  ///
  /// - Complexity: O(n) in the rows that have changed.
  public func hasPrimaryChanged(_ primary: some MagicalPrimaryValue) -> Bool {
    guard isComplete else { return true }
    guard let rows, let mark = ValueDigest(of: primary) else { return false }
    return !rows.hasRecordedPrimaries || rows.rows.contains { $0.hasPrimary(mark) }
  }

  /// Whether nothing has changed that anybody knows of.
  public var isEmpty: Bool {
    isComplete && inserted.isEmpty && deleted.isEmpty && updated.isEmpty
  }
}

extension MagicChanges: CustomStringConvertible {
  /// How many rows were inserted, updated and deleted.
  public var description: String {
    let rows =
      "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted"
    guard !isComplete else { return rows }
    return origin == .external ? "external" : "\(rows), maybe more"
  }
}

extension ObjectSchema {
  /// What the type's table is called among changes.
  var observedName: String { tableName.folded }

  /// For each column of a file's table, and then each collection, its place in the type; nil for what
  /// the type does not have.
  fileprivate func places(of names: TableNames) -> [Int?] {
    let own: [PropertySchema] = columns + collections
    return names.names.map { name in own.firstIndex { $0.name.isName(name) } }
  }
}
