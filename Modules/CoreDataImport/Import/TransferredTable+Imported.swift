import DatabaseTransfer
import MagicSchema
import Magical

extension TransferredTable {
  /// Describes the table of an imported type. The first program that uses the type completes it, with
  /// the columns and indexes that only the type declares.
  ///
  /// - Parameters:
  ///   - types: all imported types.
  ///   - store: the store, which knows the numbers of rows that were assigned.
  init(_ type: ImportedType, among types: [ImportedType], store: CoreDataStore) throws {
    func table(_ entity: CoreDataModel.Entity) -> String {
      types.first { $0.entity.name == entity.name }?.table ?? entity.name
    }
    func typeName(_ entity: CoreDataModel.Entity) -> String {
      types.first { $0.entity.name == entity.name }?.name ?? entity.name
    }
    self.init(name: type.table, typeName: type.name, version: type.version, fingerprint: "")
    isPartial = true
    lastRowID = store.highestRow(type.entity)
    for property in type.properties {
      var (swiftType, form) = ("", "")
      var column: String? = property.column
      var details: String?
      switch property.content {
      case .attribute(_, _, let content), .newKey(let content):
        (swiftType, form) = (content.swiftType, content.valueForm.rawValue)
        columns.append(
          Column(
            name: property.column, kind: content.kind, isNullable: property.isOptional,
            isAsset: content == .asset))
        if property.isPrimary, case .integer = content {
          countsPrimaries = true
          lastPrimary = lastRowID
        }
      case .toOne(let link, let rule):
        (swiftType, form) = (typeName(link.target), "one")
        columns.append(
          Column(
            name: property.column, kind: .integer, isNullable: property.isOptional,
            target: .init(table: table(link.target), rule: rule)))
        indexes.append(Index(columns: [property.column], isUnique: false))
      case .toMany(let link, let kind, let rule, let isOwned):
        let member = typeName(link.target)
        (swiftType, form) = (
          kind == .list ? "Array<\(member)>" : "MagicalSet<\(member)>", kind.rawValue
        )
        collections.append(
          TransferredCollection(
            property: property.column, kind: kind, isOwned: isOwned, target: table(link.target),
            rule: rule,
            joinTable: JoinTableName.name(owner: type.table, property: property.column),
            keys: .integer))
      case .inverse(let link, let inverse):
        (swiftType, form) = ("AsyncReverseMagicSet<\(typeName(link.target))>", "inverse")
        column = nil
        var described = StoredProperty.Details()
        (described.table, described.property) = (table(link.target), inverse)
        details = try StoredProperty.text(of: described)
      }
      if property.isPrimary || property.isUnique {
        indexes.append(Index(columns: [property.column], isUnique: true))
      }
      properties.append(
        StoredProperty(
          property: property.name, column: column, swiftType: swiftType, formText: form,
          detailsText: details))
    }
    properties.sort { $0.property < $1.property }
  }
}
