import MagicEngine
public import MagicSchema
import MagicStore

/// What one committed transaction has changed of the objects of all types; or several, where they
/// were merged.
public struct MagicDatabaseChanges: Sendable {
  private let changes: CommittedChanges

  init(_ changes: CommittedChanges) { self.changes = changes }

  /// What has changed of a type's objects; nothing for one whose objects are as they were.
  public subscript<Model: MagicObject>(type: Model.Type) -> MagicChanges<Model> {
    get throws { MagicChanges(changes, of: try ObjectSchema.of(type)) }
  }

  /// The tables of types of which rows have changed, also of types that the program does not know, in
  /// alphabetical order.
  public var tables: [String] {
    changes.tables.values.map(\.names.table).sorted()
  }

  /// Who has made the changes; ``MagicChangeOrigin/external`` where another process was one of them.
  public var origin: MagicChangeOrigin { changes.isExternal ? .external : .process }

  /// Whether the rows are all that have changed, as ``MagicChanges/isComplete`` says.
  public var isComplete: Bool { !changes.isUnknown && changes.unknown.isEmpty }

  /// Whether nothing has changed that anybody knows of.
  public var isEmpty: Bool { isComplete && changes.tables.isEmpty }

  /// How many transactions it is of, more than one where elements were merged.
  public var transactionCount: Int { changes.transactionCount }
}

extension MagicDatabaseChanges: CustomStringConvertible {
  /// How many rows of each table were inserted, updated and deleted.
  public var description: String {
    guard isComplete else { return origin == .external ? "external" : "maybe all" }
    return changes.tables.values.sorted { $0.names.table < $1.names.table }.map { table in
      func count(_ kind: RowChange.Kind) -> Int { table.rows.count { $0.kind == kind } }
      return "\(table.names.table): \(count(.inserted)) inserted, \(count(.updated)) updated, "
        + "\(count(.deleted)) deleted"
    }.joined(separator: "; ")
  }
}
