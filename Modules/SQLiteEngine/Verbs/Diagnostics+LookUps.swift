import MagicEngine
import MagicSchema

extension Diagnostics {
  /// Records that the objects of a type that refer to one object were looked up.
  func noteLookUp(of schema: ObjectSchema, along property: PropertySchema) {
    noteLookUp(of: schema, along: property) {
      let path = "\\\(schema.typeName).$\(property.property)"
      let select =
        property is CollectionColumn
        ? "SELECT DISTINCT owner AS z_index FROM \\(links: \(path)) WHERE target"
        : "SELECT z_index FROM \\(table: \(schema.typeName).self) WHERE \\(column: \(path))"
      return "sql(\"\(select) IN \\(values: objects)\").objects(of: \(schema.typeName).self)"
    }
  }
}
