import MagicSchema
import SQLiteTables

/// Lists that become owned, are no longer owned, or whose delete rule or name changes.
extension TablePlanner {
  /// Plans a list that is owned in the file, in the type, or in both.
  ///
  /// - Parameter copy: the columns of a join row.
  mutating func planOwned(
    _ column: CollectionColumn, _ link: LinkTable, _ existing: TableDescription.Collection,
    _ copy: String
  ) throws {
    guard let old = existing.owned, let new = try link.owned else {
      let summary =
        column.isOwned
        ? "\(column.name) becomes an owned list" : "\(column.name) is no longer owned"
      return try rebuildJoinTable(column, link, existing, columns: copy, summary: summary)
    }
    guard old != new else { return }
    let isRenamed = old.property != new.property
    let isRewritten = (old.rule == .cascade) != (new.rule == .cascade)
    let summary =
      old.rule == new.rule
      ? "\(old.property) is renamed to \(new.property)"
      : "the delete rule of \(column.name) becomes \(new.rule.rawValue)"
    let statements: [String]
    if isRewritten {
      statements = try statistics.delete(old, copyingTo: new)
    } else {
      statements =
        isRenamed ? old.rename(to: new) : old.dropTrigger + new.createTrigger
    }
    table.replaceOwned(old, by: new)
    links.append(
      LinkChange(
        change: TableChange(
          kind: isRewritten ? .rewriting : .additive, property: column.property, summary: summary),
        before: statements))
  }

  /// Returns the statements that move the members of a collection to the columns of an owned list.
  ///
  /// - Parameter columns: the columns of a join row; nil to move no members.
  func moving(
    _ existing: TableDescription.Collection, to owned: OwnedColumns, _ link: LinkTable,
    columns: String?
  ) throws -> [String] {
    // The new columns may have the names of the old ones.
    guard let columns, existing.owned == nil else {
      return try statistics.drop(existing) + owned.addColumns + owned.createIndex
    }
    guard existing.kind != .list else {
      return try owned.addColumns + owned.fill(from: existing.linkTable.quoted)
        + statistics.drop(existing) + owned.createIndex
    }
    let name = TableRebuild.prefix + link.name
    return try owned.addColumns + [
      link.createTable(as: name),
      "INSERT INTO \(name.quoted) SELECT \(columns) FROM \(existing.source)",
      LinkTable.createIndex(of: name),
    ] + owned.fill(from: name.quoted) + ["DROP TABLE \(name.quoted)"]
      + statistics.drop(existing) + owned.createIndex
  }

  /// Returns the reason why the members of a collection cannot be in an owned list; nil if they can.
  func membersOfSeveral(_ existing: TableDescription.Collection) throws -> String? {
    Self.refusal(severalOwners: try statistics.membersOfSeveral(existing))
  }

  /// - Parameter members: the members with several owners.
  static func refusal(severalOwners members: [Int64]) -> String? {
    guard !members.isEmpty else { return nil }
    let text = RowIDText.text(members, ("of the members is", "of the members are"))
    return
      "\(text) in it more than once, or in the lists of several owners: remove these members from "
      + "all lists but one, or declare the list without .owned"
  }
}

extension OwnedColumns {
  /// Returns the statements that store owners and positions.
  ///
  /// - Parameters:
  ///   - source: the join rows, for a FROM clause.
  ///   - position: the expression for the position.
  func fill(from source: String, position: String = "\"position\"") -> [String] {
    [
      "UPDATE \(table.quoted) SET (\(owner.quoted), \(self.position.quoted)) = "
        + "(SELECT \"owner\", \(position) FROM \(source) AS \"magic_link\" "
        + "WHERE \"magic_link\".\"target\" = \(table.quoted).\"z_index\") "
        + "WHERE \"z_index\" IN (SELECT \"target\" FROM \(source))"
    ]
  }
}

extension CollectionColumn {
  /// The kind of collection, with its article, for messages.
  var kindText: String { isOwned ? "an owned list" : "a \(kind.rawValue)" }
}
