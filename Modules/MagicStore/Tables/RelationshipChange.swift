import Magical
import MagicSchema
import MagicSQLite

/// Compares a type's relationships with those that its table has in the file. New ones need no
/// decision; any other difference does.
struct RelationshipChange {
  private let schema: ObjectSchema
  private let shape: TableShape
  private let catalogue: Catalogue
  private let present: [Relationship]

  init(of schema: ObjectSchema, from shape: TableShape, _ catalogue: Catalogue) throws {
    self.schema = schema
    self.shape = shape
    self.catalogue = catalogue
    present = try catalogue.relationships().filter { $0.owner == schema.tableName }
  }

  /// - Parameter isReading: whether the table is only read: what the type has no more, and the
  ///   delete rules, do not matter then.
  /// - Throws: `MagicError` with `.needsMigration`.
  func refuse(isReading: Bool) throws {
    let wanted = try Relationship.all(of: schema)
    let properties: [PropertySchema] = schema.toOnes.map(\.schema) + schema.collections
    var met: Set<String> = []
    for (relationship, property) in zip(wanted, properties) {
      let column = property as? ToOneColumn
      // A column that is there under its former name will be renamed.
      let names =
        [relationship.column] + (column.flatMap { schema.formerName(of: $0) }.map { [$0] } ?? [])
      guard let name = names.first(where: { isThere($0, isColumn: column != nil) }) else {
        continue
      }
      met.insert(name.lowercased())
      guard let old = known(name) else {
        throw TableUpdate.refusal(schema, "the column is a plain value in the file", property)
      }
      if let difference = try difference(old, relationship, property, isReading: isReading) {
        throw TableUpdate.refusal(schema, difference, property)
      }
    }
    guard !isReading else { return }
    for old in present where !met.contains(old.column.lowercased()) {
      let column = schema.columns.first { $0.name.lowercased() == old.column.lowercased() }
      throw TableUpdate.refusal(
        schema, "the file has a relationship \(old.column) that the type has not", column)
    }
  }

  private func isThere(_ name: String, isColumn: Bool) -> Bool {
    known(name) != nil || (isColumn && shape.column(named: name) != nil)
  }

  private func known(_ name: String) -> Relationship? {
    present.first { $0.column.lowercased() == name.lowercased() }
  }

  private func difference(
    _ old: Relationship, _ new: Relationship, _ property: PropertySchema, isReading: Bool
  ) throws -> String? {
    if old.kind != new.kind { return "the relationship is of kind \(old.kind) in the file" }
    if old.target != new.target { return "the relationship leads to \(old.target) in the file" }
    if !isReading, old.rule != new.rule { return "the delete rule is \(old.rule) in the file" }
    guard let collection = property as? CollectionColumn, let table = old.linkTable,
      let keys = collection.makeKeys()
    else { return nil }
    let key = try TableShape(of: table, on: catalogue.connection).column(named: "key")
    let isSame = key.map { $0.type.uppercased() == LinkTable.keyType(keys.storageClass) } ?? true
    return isSame ? nil : "the keys are of another type in the file"
  }
}
