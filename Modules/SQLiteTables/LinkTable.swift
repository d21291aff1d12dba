import MagicEngine
package import Magical
package import MagicSchema

/// The join table of a collection. Each of its rows, called a join row or a link, connects an owner
/// to one member.
///
/// An owned list has no join table; the rows of its members take its place, see ``OwnedColumns``.
package struct LinkTable {
  let owner: ObjectSchema
  package let column: CollectionColumn

  package init(owner: ObjectSchema, column: CollectionColumn) {
    self.owner = owner
    self.column = column
  }

  package var name: String { column.joinTable(of: owner) }

  /// The columns of an owned list; nil for a collection with a join table.
  package var owned: OwnedColumns? {
    get throws {
      guard column.isOwned else { return nil }
      return OwnedColumns(
        owner: owner.tableName, property: column.name, members: try column.target.tableName,
        rule: column.deleteRule)
    }
  }

  /// The column between owner and target; nil for a set, which has none.
  package var keyColumn: String? { column.kind.keyColumn }

  /// The columns of an owned list are added later, because the table of the members may not exist.
  func create() throws -> [String] {
    column.isOwned ? [] : try [createTable(as: name), createIndex] + cascadeTriggers
  }

  /// Returns the SQL that creates the table, without its index, under its own or another name.
  ///
  /// - Parameter kind: the kind of collection; nil for the declared one.
  package func createTable(as name: String, kind: LinkKind? = nil) throws -> String {
    Self.createTable(
      as: name, kind ?? column.kind, owner: owner.tableName, target: try column.target.tableName,
      keys: column.makeKeys()?.storageClass ?? .blob, rule: column.deleteRule)
  }

  /// Returns the SQL that creates a join table without its index.
  ///
  /// - Parameter keys: the storage class of a dictionary's keys.
  package static func createTable(
    as name: String, _ kind: LinkKind, owner: String, target: String, keys: MagicalStorageClass,
    rule: MagicDeleteRule
  ) -> String {
    var columns = [
      "\"owner\" INTEGER NOT NULL \(ForeignKey.clause(to: owner, rule: .cascade))"
    ]
    switch kind {
    case .list: columns.append("\"position\" INTEGER NOT NULL")
    case .set: break
    case .dictionary:
      let type = TableSQL.declaredType(keys)
      columns.append("\"key\"\(type.isEmpty ? "" : " \(type)") NOT NULL")
    }
    // Deleting a member deletes its join rows. The delete rule decides whether the member may be
    // deleted.
    let memberRule: MagicDeleteRule = rule == .deny ? .deny : .cascade
    columns.append("\"target\" INTEGER NOT NULL \(ForeignKey.clause(to: target, rule: memberRule))")
    columns.append("PRIMARY KEY (\"owner\", \((kind.keyColumn ?? "target").quoted))")
    return "CREATE TABLE \(name.quoted) (\(columns.joined(separator: ", "))) WITHOUT ROWID"
  }

  /// The SQL of the index that finds the owners of a member.
  package var createIndex: String { Self.createIndex(of: name) }

  package static func createIndex(of table: String) -> String {
    "CREATE INDEX \(index(of: table).quoted) ON \(table.quoted) (\"target\", \"owner\")"
  }

  package static func index(of table: String) -> String { "\(table)(target, owner)" }

  /// The SQL of the triggers that delete the members of a deleted owner, also if SQL deletes the
  /// owner. Empty for other delete rules.
  package var cascadeTriggers: [String] {
    get throws {
      // The foreign key of an owned list deletes the members.
      if column.isOwned { return [] }
      return try Self.cascadeTriggers(
        of: name, owner: owner.tableName, target: column.target.tableName,
        rule: column.deleteRule.rawValue)
    }
  }

  package static func cascadeTriggers(
    of name: String, owner: String, target: String, rule: String
  ) -> [String] {
    guard rule == MagicDeleteRule.cascade.rawValue else { return [] }
    return [
      """
      CREATE TRIGGER \(cascade(of: name).quoted) BEFORE DELETE ON \(owner.quoted) BEGIN \
      DELETE FROM \(target.quoted) WHERE "z_index" IN \
      (SELECT "target" FROM \(name.quoted) WHERE "owner" = OLD."z_index"); END
      """
    ]
  }

  package static func cascade(of table: String) -> String { "\(table) cascade" }
}
