package import MagicSchema

/// The rows of `magic_columns`: the properties of the types, with their Swift types and the forms of their
/// values, as in a file. Programs that do not have the types read them.
///
/// A hash of the rows of a type is in `magic_types`. If it differs from that of the type, for example
/// because an enumeration has another case, the rows are replaced after the next commit of a process that
/// uses the type.
package enum PropertyDescriptions {
  package static let create = """
    CREATE TABLE IF NOT EXISTS magic_columns (\
    table_name text COLLATE "C" NOT NULL, property text COLLATE "C" NOT NULL, column_name text, \
    swift_type text NOT NULL, form text NOT NULL, details text, PRIMARY KEY (table_name, property))
    """

  /// Returns the SQL that replaces the description of a type, if its table has the type's fingerprint in
  /// `magic_types`. A later version of the type may have migrated the table meanwhile.
  package static func replace(with schema: ObjectSchema) throws -> String {
    replace(
      table: schema.tableName, fingerprint: schema.fingerprint,
      with: try StoredProperty.all(of: schema))
  }

  /// Returns the SQL that replaces the description of a table with a fingerprint. An empty description has
  /// an empty hash, so that the type replaces it.
  package static func replace(
    table: String, fingerprint: String, with properties: [StoredProperty]
  ) -> String {
    let (name, hash) = (
      table.literal, properties.isEmpty ? "" : StoredProperty.fingerprint(of: properties)
    )
    let isCurrent = "table_name = \(name) AND fingerprint = \(fingerprint.literal)"
    let exists = "EXISTS (SELECT FROM magic_types WHERE \(isCurrent))"
    // The first statement lets a concurrent replacement wait.
    let statements = [
      "UPDATE magic_types SET properties = \(hash.literal) WHERE \(isCurrent)",
      "DELETE FROM magic_columns WHERE table_name = \(name) AND \(exists)",
    ]
    let rows = properties.map { property in
      let values = [
        property.property, property.column, property.swiftType, property.formText,
        property.detailsText,
      ]
      return "(\(([name] + values.map { $0?.literal ?? "NULL" }).joined(separator: ", ")))"
    }
    guard !rows.isEmpty else { return statements.joined(separator: "; ") }
    let insert =
      "INSERT INTO magic_columns SELECT * FROM (VALUES \(rows.joined(separator: ", "))) AS new "
      + "WHERE \(exists)"
    return (statements + [insert]).joined(separator: "; ")
  }
}
