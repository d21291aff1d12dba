import DatabaseTransfer
import MagicSchema

extension TransferredTable {
  /// Describes the table of an imported type. The first program that uses the type completes it, with
  /// the columns and indexes that only the type declares.
  ///
  /// - Parameters:
  ///   - lastRowID: the highest row ID that was ever assigned.
  ///   - lastPrimary: the highest auto-increment primary that was ever assigned.
  init(_ type: OriginalType, lastRowID: Int64, lastPrimary: Int64) throws {
    let schema = type.schema
    // The migration steps of the type are for tables of its earlier versions.
    self.init(
      name: schema.tableName, typeName: schema.typeName,
      version: Int64(schema.migrations.version), fingerprint: "")
    isPartial = true
    self.lastRowID = lastRowID
    for (column, _, _) in type.columns {
      if column.isAssignedByStore {
        countsPrimaries = true
        self.lastPrimary = lastPrimary
      }
      columns.append(
        Column(
          name: column.name, kind: column.transferredKind, isNullable: column.isNullable,
          isAsset: column.isFile, target: try Self.reference(of: column)))
      if column.isUnique {
        indexes.append(Index(columns: [column.name], isUnique: true))
      } else if column.codec == .link {
        indexes.append(Index(columns: [column.name], isUnique: false))
      }
    }
    for (collection, _) in type.collections {
      collections.append(
        TransferredCollection(
          property: collection.name, kind: collection.kind, isOwned: collection.isOwned,
          target: try collection.target.tableName, rule: collection.deleteRule,
          joinTable: JoinTableName.name(owner: schema.tableName, property: collection.name),
          keys: collection.makeKeys().map { TransferredKind($0.storageClass) } ?? .integer))
    }
    let imported = Set(columns.map(\.name) + collections.map(\.property))
    properties = try StoredProperty.all(of: schema)
      .filter { $0.column.map(imported.contains) ?? false }
  }

  private static func reference(of column: ColumnSchema) throws -> Column.Reference? {
    guard let toOne = column as? ToOneColumn else { return nil }
    return Column.Reference(table: try toOne.target.tableName, rule: toOne.deleteRule)
  }
}

extension ColumnSchema {
  fileprivate var transferredKind: TransferredKind {
    switch codec {
    case .bool: .boolean
    case .uuid: .uuid
    default: TransferredKind(storageClass)
    }
  }
}
