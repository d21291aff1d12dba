import MagicEngine
package import MagicSchema
package import MagicSQLite

/// The columns of an owned list. They are in the table of the members, and name the owner of a
/// member and its position.
///
/// They belong to the schema of the owner's type. The position of a member without an owner is
/// ignored.
package struct OwnedColumns: Equatable {
  /// The table of the owners, and the name of the list.
  package let ownerTable: String
  package let property: String
  /// The table of the members.
  package let table: String
  package let rule: MagicDeleteRule

  package init(owner: String, property: String, members: String, rule: MagicDeleteRule) {
    ownerTable = owner
    self.property = property
    table = members
    self.rule = rule
  }

  /// Returns the columns after a table was renamed.
  package func renaming(_ old: String, to new: String) -> OwnedColumns {
    OwnedColumns(
      owner: ownerTable == old ? new : ownerTable, property: property,
      members: table == old ? new : table, rule: rule)
  }

  /// Returns the columns after the table of the members was renamed, but not that of the owners.
  package func renamingMembers(_ old: String, to new: String) -> OwnedColumns {
    OwnedColumns(
      owner: ownerTable, property: property, members: table == old ? new : table, rule: rule)
  }

  /// The name that a join table of the list would have.
  package var name: String { JoinTableName.name(owner: ownerTable, property: property) }

  private var path: String { JoinTableName.path(owner: ownerTable, property: property) }

  package var owner: String { "\(path) owner" }

  package var position: String { "\(path) position" }

  package var columns: [String] { [owner, position] }

  package var index: String { "\(name)(owner, position)" }

  /// The definitions of the columns.
  ///
  /// A deleted owner leaves the position of its members unchanged.
  package var definitions: [String] {
    let reference = ForeignKey.clause(to: ownerTable, rule: rule == .cascade ? .cascade : .nullify)
    return ["\(owner.quoted) INTEGER \(reference)", "\(position.quoted) INTEGER"]
  }

  /// The SQL that adds the columns.
  package var addColumns: [String] {
    definitions.map { "ALTER TABLE \(table.quoted) ADD COLUMN \($0)" }
  }

  /// The SQL that creates the index and the trigger of the columns.
  package var createIndex: [String] {
    [
      "CREATE UNIQUE INDEX \(index.quoted) ON \(table.quoted) "
        + "(\(owner.quoted), \(position.quoted)) WHERE \(owner.quoted) IS NOT NULL"
    ] + createTrigger
  }

  package var dropIndex: [String] {
    dropTrigger + ["DROP INDEX IF EXISTS \(index.quoted)"]
  }

  /// The SELECT of a join table with the same members.
  package var select: String {
    "SELECT \(owner.quoted) AS \"owner\", \(position.quoted) AS \"position\", "
      + "\"z_index\" AS \"target\" FROM \(table.quoted) WHERE \(owner.quoted) IS NOT NULL"
  }
}

/// The trigger of the delete rule deny. A foreign key cannot refuse the deletion of a member, because
/// the reference to the owner is deleted with it.
extension OwnedColumns {
  private static let denySuffix = " deny"

  package var trigger: String { name + Self.denySuffix }

  /// The condition for the rows of `sqlite_master` that are triggers of owned lists.
  static let isTrigger =
    "substr(name, 1, \(JoinTableName.prefix.utf8.count)) = \(JoinTableName.prefix.literal) "
    + "AND substr(name, -\(denySuffix.utf8.count)) = \(denySuffix.literal) "
    + "AND instr(sql, 'SELECT RAISE(ABORT, ''\(refusalPrefix)') > 0"

  package var createTrigger: [String] {
    guard rule == .deny else { return [] }
    return [
      """
      CREATE TRIGGER \(trigger.quoted) BEFORE DELETE ON \(table.quoted) \
      WHEN OLD.\(owner.quoted) IS NOT NULL BEGIN \
      SELECT RAISE(ABORT, \((Self.refusalPrefix + path).literal)); END
      """
    ]
  }

  package var dropTrigger: [String] { ["DROP TRIGGER IF EXISTS \(trigger.quoted)"] }

  /// The beginning of the message of the trigger's error.
  private static let refusalPrefix = "magic_owner "

  /// Returns the list that is named in the error of a trigger; nil for other errors.
  static func list(namedIn error: SQLiteError) -> String? {
    guard error.message.hasPrefix(refusalPrefix) else { return nil }
    return String(error.message.dropFirst(refusalPrefix.count))
  }

  /// Whether an error is that of this list's trigger.
  package func refused(in error: SQLiteError) -> Bool { Self.list(namedIn: error) == path }
}

/// Lists whose columns are dropped. SQLite before 3.35 cannot drop a column, and no version drops one
/// with a foreign key. The columns are renamed, and dropped when the table is rebuilt.
extension OwnedColumns {
  /// The names of the columns and the index until the table is rebuilt.
  private func deleted(_ name: String) -> String {
    DeletedColumn.prefix + name
  }

  /// The new name of the owner's column.
  package func deletedOwner(suffix: String) -> String { deleted(owner) + suffix }

  /// The SQL that renames the columns. The foreign key needs an index.
  ///
  /// - Parameters:
  ///   - copy: the list that gets the members; nil to remove all members.
  ///   - suffix: the end of the new names, which must not exist.
  package func delete(copyingTo copy: OwnedColumns? = nil, suffix: String = "") -> [String] {
    let (oldOwner, oldPosition) = (deleted(owner) + suffix, deleted(position) + suffix)
    var statements =
      dropIndex + [
        rename(owner, to: oldOwner), rename(position, to: oldPosition),
        "CREATE INDEX \((deleted(index) + suffix).quoted) ON \(table.quoted) (\(oldOwner.quoted)) "
          + "WHERE \(oldOwner.quoted) IS NOT NULL",
      ]
    var assignments = [oldOwner, oldPosition].map { "\($0.quoted) = NULL" }
    if let copy {
      statements += copy.addColumns
      assignments += [
        "\(copy.owner.quoted) = \(oldOwner.quoted)",
        "\(copy.position.quoted) = \(oldPosition.quoted)",
      ]
    }
    statements.append(
      "UPDATE \(table.quoted) SET \(assignments.joined(separator: ", ")) "
        + "WHERE \(oldOwner.quoted) IS NOT NULL")
    return statements + (copy?.createIndex ?? [])
  }

  /// The SQL that renames the columns for a list with another name.
  package func rename(to new: OwnedColumns) -> [String] {
    dropIndex + [rename(owner, to: new.owner), rename(position, to: new.position)]
      + new.createIndex
  }

  private func rename(_ name: String, to newName: String) -> String {
    "ALTER TABLE \(table.quoted) RENAME COLUMN \(name.quoted) TO \(newName.quoted)"
  }
}
