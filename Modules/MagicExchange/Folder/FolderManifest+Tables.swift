import DatabaseTransfer
import MagicSchema
import Magical

extension FolderManifest.Table {
  /// - Parameter names: creates the names of files.
  init(_ table: TransferredTable, _ names: inout FileNames) {
    name = table.name
    type = table.typeName
    file = names.name(for: table.name)
    columns = table.columns.map { column in
      FolderManifest.Column(
        name: column.name, kind: column.kind.rawValue, isNullable: column.isNullable,
        isAsset: column.isAsset,
        references: column.target.map { .init(table: $0.table, deleteRule: $0.rule.rawValue) },
        collation: column.collation)
    }
    (indexes, properties) = (table.indexes, table.properties)
    var collections: [FolderManifest.Collection] = []
    for collection in table.collections {
      collections.append(
        FolderManifest.Collection(
          property: collection.property, kind: collection.kind.rawValue,
          isOwned: collection.isOwned, target: collection.target,
          deleteRule: collection.rule.rawValue, joinTable: collection.joinTable,
          keys: collection.keys.rawValue,
          file: names.name(for: "\(table.name).\(collection.property)")))
    }
    self.collections = collections
    search = table.search.map { search in
      .init(
        columns: search.columns.map { .init(name: $0.name, kind: $0.kind.rawValue) },
        options: search.options)
    }
    (lastRowID, lastPrimary) = (table.lastRowID, table.lastPrimary)
    countsPrimaries = table.countsPrimaries
    (version, fingerprint) = (table.version, table.fingerprint)
    (isPartial, hasFileDescription) = (table.isPartial, table.hasFileDescription)
  }

  /// Returns the description for a copy.
  ///
  /// - Throws: `MagicError` with `.notADatabase` for a value that has no meaning.
  func transferred() throws -> TransferredTable {
    var table = TransferredTable(
      name: name, typeName: type, version: version, fingerprint: fingerprint)
    table.columns = try columns.map { column in
      let target = try column.references.map { reference in
        TransferredTable.Column.Reference(
          table: reference.table, rule: try rule(reference.deleteRule, column.name))
      }
      return TransferredTable.Column(
        name: column.name, kind: try kind(column.kind, column.name),
        isNullable: column.isNullable, isAsset: column.isAsset, target: target,
        collation: column.collation)
    }
    (table.indexes, table.properties) = (indexes, properties)
    table.collections = try collections.map { collection in
      guard let kind = LinkKind(rawValue: collection.kind) else {
        throw invalid("the kind of a collection is unknown", collection.property)
      }
      return TransferredCollection(
        property: collection.property, kind: kind, isOwned: collection.isOwned,
        target: collection.target, rule: try rule(collection.deleteRule, collection.property),
        joinTable: collection.joinTable, keys: try self.kind(collection.keys, collection.property))
    }
    if let search {
      let columns = try search.columns.map { column in
        guard let kind = SearchSchema.Kind(rawValue: column.kind) else {
          throw invalid("the kind of a searched column is unknown", column.name)
        }
        return TransferredSearch.Column(name: column.name, kind: kind)
      }
      guard let transferred = TransferredSearch(columns: columns, options: search.options) else {
        throw invalid("the options of the search index are not valid", nil)
      }
      table.search = transferred
    }
    (table.lastRowID, table.lastPrimary) = (lastRowID, lastPrimary)
    table.countsPrimaries = countsPrimaries
    (table.isPartial, table.hasFileDescription) = (isPartial, hasFileDescription)
    return table
  }

  private func kind(_ text: String, _ column: String) throws -> TransferredKind {
    guard let kind = TransferredKind(rawValue: text) else {
      throw invalid("the kind of a column is unknown", column)
    }
    return kind
  }

  private func rule(_ text: String, _ property: String) throws -> MagicDeleteRule {
    guard let rule = MagicDeleteRule(rawValue: text) else {
      throw invalid("the delete rule is unknown", property)
    }
    return rule
  }

  func invalid(_ reason: String, _ property: String?) -> MagicError {
    MagicError(
      .notADatabase, "The description of the exported database is not valid: \(reason).",
      type: name, property: property)
  }
}
