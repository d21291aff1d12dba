import MagicEngine
public import MagicSchema
import MagicStore

/// The changes that a committed transaction made to the objects of all types, or the combined
/// changes of several transactions, if elements were merged.
///
/// ```swift
/// for await changes in magic.changes() {
///   print(changes.tables)
///   let people = try changes[Person.self]
///   print(people.inserted.count)
/// }
/// ```
public struct MagicDatabaseChanges: Sendable {
  private let changes: CommittedChanges

  init(_ changes: CommittedChanges) { self.changes = changes }

  /// The changes to the objects of a type; empty if none changed.
  public subscript<Model: MagicObject>(type: Model.Type) -> MagicChanges<Model> {
    get throws { MagicChanges(changes, of: try ObjectSchema.of(type)) }
  }

  /// The tables with changed rows in alphabetical order, including tables of types that this
  /// program does not declare.
  public var tables: [String] {
    changes.tables.values.map(\.names.table).sorted()
  }

  /// The process that made the changes; ``MagicChangeOrigin/external`` if another process made at
  /// least one of them.
  public var origin: MagicChangeOrigin { changes.isExternal ? .external : .process }

  /// Whether the row IDs are complete, as ``MagicChanges/isComplete`` defines.
  public var isComplete: Bool { !changes.isUnknown && changes.unknown.isEmpty }

  /// Whether the changes are complete and there are none.
  public var isEmpty: Bool { isComplete && changes.tables.isEmpty }

  /// The number of transactions that made the changes; more than one if elements were merged.
  public var transactionCount: Int { changes.transactionCount }
}

extension MagicDatabaseChanges: CustomStringConvertible {
  /// The numbers of rows of each table that were inserted, updated and deleted.
  public var description: String {
    guard isComplete else { return origin == .external ? "external" : "maybe all" }
    return changes.tables.values.sorted { $0.names.table < $1.names.table }.map { table in
      func count(_ kind: RowChange.Kind) -> Int { table.rows.count { $0.kind == kind } }
      return "\(table.names.table): \(count(.inserted)) inserted, \(count(.updated)) updated, "
        + "\(count(.deleted)) deleted"
    }.joined(separator: "; ")
  }
}
