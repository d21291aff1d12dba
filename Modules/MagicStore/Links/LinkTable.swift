import Magical
package import MagicSchema

/// The table that holds the links of a collection: its name and how it is made.
package struct LinkTable {
  let owner: ObjectSchema
  let column: CollectionColumn

  package init(owner: ObjectSchema, column: CollectionColumn) {
    self.owner = owner
    self.column = column
  }

  /// Two names joined by a point; names of types' tables never begin like this.
  package var name: String { "magic_\(Self.word(owner.tableName)).\(Self.word(column.name))" }

  private static func word(_ name: String) -> String {
    name.unicodeScalars.contains { $0 == "." || $0 == "\"" } ? name.quoted : name
  }

  /// The column between owner and target; nil for a set, which has none.
  var keyColumn: String? {
    switch column.kind {
    case .list: "position"
    case .set: nil
    case .dictionary: "key"
    }
  }

  func create() throws -> [String] {
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
    return [
      "CREATE TABLE \(name.quoted) (\(columns.joined(separator: ", "))) WITHOUT ROWID",
      "CREATE INDEX \("\(name)(target, owner)".quoted) ON \(name.quoted) (\"target\", \"owner\")",
    ] + (column.deleteRule == .cascade ? [cascadeTrigger(target)] : [])
  }

  /// The members go with the owner, also where SQL deletes it.
  private func cascadeTrigger(_ target: String) -> String {
    """
    CREATE TRIGGER \("\(name) cascade".quoted) BEFORE DELETE ON \(owner.tableName.quoted) BEGIN \
    DELETE FROM \(target.quoted) WHERE "z_index" IN \
    (SELECT "target" FROM \(name.quoted) WHERE "owner" = OLD."z_index"); END
    """
  }

  /// The foreign key of a column that leads to a table. It is checked at the end of a transaction,
  /// so that rows which lead to each other can be saved.
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
  static func keyType(_ storageClass: MagicalStorageClass) -> String {
    storageClass == .real ? "" : storageClass.rawValue
  }
}
