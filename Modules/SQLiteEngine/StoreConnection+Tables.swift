import MagicEngine
package import MagicSchema

extension StoreConnection {
  /// Returns the statements of a type; nil if it has no table.
  ///
  /// - Throws: ``MigrationRequired`` if the table is outdated.
  package func statements(of schema: ObjectSchema) throws -> TypeStatements? {
    switch try table(of: schema) {
    case .current(let statements): statements
    case .missing: nil
    case .outdated: throw MigrationRequired(schema)
    }
  }
}
