package import Magical
package import MagicSchema

/// The table that holds the links of a collection: its name and how it is made.
package struct LinkTable {
  let owner: ObjectSchema
  package let column: CollectionColumn

  package init(owner: ObjectSchema, column: CollectionColumn) {
    self.owner = owner
    self.column = column
  }

  package var name: String { column.joinTable(of: owner) }

  /// How far apart the positions of a new list are: 24 members fit in between two, and
  /// 2³⁹ at the end.
  package static var spacing: Int64 { 1 << 24 }

  /// The column between owner and target; nil for a set, which has none.
  package var keyColumn: String? {
    switch column.kind {
    case .list: "position"
    case .set: nil
    case .dictionary: "key"
    }
  }

  func create() throws -> [String] {
    try [createTable(as: name), createIndex] + cascadeTriggers
  }

  /// Makes the table, without its index, under its name or another.
  package func createTable(as name: String) throws -> String {
    let target = try column.target.tableName
    var columns = [
      "\"owner\" INTEGER NOT NULL \(Self.reference(to: owner.tableName, rule: .cascade))"
    ]
    switch column.kind {
    case .list: columns.append("\"position\" INTEGER NOT NULL")
    case .set: break
    case .dictionary:
      let type = Self.keyType(column.makeKeys()?.storageClass ?? .blob)
      columns.append("\"key\"\(type.isEmpty ? "" : " \(type)") NOT NULL")
    }
    // A member that is removed leaves; whether it may be removed is the rule's to say.
    let rule: MagicDeleteRule = column.deleteRule == .deny ? .deny : .cascade
    columns.append("\"target\" INTEGER NOT NULL \(Self.reference(to: target, rule: rule))")
    columns.append("PRIMARY KEY (\"owner\", \((keyColumn ?? "target").quoted))")
    return "CREATE TABLE \(name.quoted) (\(columns.joined(separator: ", "))) WITHOUT ROWID"
  }

  /// Finds the owners of a member.
  package var createIndex: String { Self.createIndex(of: name) }

  package static func createIndex(of table: String) -> String {
    "CREATE INDEX \(index(of: table).quoted) ON \(table.quoted) (\"target\", \"owner\")"
  }

  package static func index(of table: String) -> String { "\(table)(target, owner)" }

  /// The members go with the owner, also where SQL deletes it; nothing for other rules.
  package var cascadeTriggers: [String] {
    get throws {
      try Self.cascadeTriggers(
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

  /// The foreign key of a column that refers to a table. It is checked at the end of a transaction,
  /// so that rows which refer to each other can be saved.
  static func reference(to table: String, rule: MagicDeleteRule) -> String {
    let action =
      switch rule {
      case .nullify: " ON DELETE SET NULL"
      case .cascade: " ON DELETE CASCADE"
      case .deny: ""
      }
    return "REFERENCES \(table.quoted) (\"z_index\")\(action) DEFERRABLE INITIALLY DEFERRED"
  }

  /// The declared type of a dictionary's keys.
  package static func keyType(_ storageClass: MagicalStorageClass) -> String {
    storageClass == .real ? "" : storageClass.rawValue
  }
}
