package import MagicEngine
package import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Indexes in the order of a locale that another version of ICU has written. They may be in another
/// order than the server has now.
package enum OutdatedOrders {
  /// Returns a finding for each column with such an index.
  ///
  /// - Parameter types: the tables, with the names of their types.
  package static func findings(
    in types: [(key: String, value: String)], on connection: PostgreSQLConnection
  ) throws -> [MagicFinding] {
    let found = try translatingErrors { try connection.run(select) }
    return (0..<found.count).map { row in
      let (table, collation) = (found.text(row, 0), found.text(row, 2))
      return MagicFinding(
        .wrongOrder,
        "The indexes of the column have the order of another version of ICU. Run "
          + "REINDEX TABLE \(table.quoted), for each table, and then "
          + "ALTER COLLATION \(collation) REFRESH VERSION, as the owner of the collation.",
        type: types.first { $0.key == table }?.value, table: table, column: found.text(row, 1))
    }
  }

  private static let select = PostgreSQLStatement(
    """
    SELECT c.relname::text, a.attname::text, l.oid::regcollation::text FROM pg_class AS c \
    JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_collation AS l ON l.oid = a.attcollation \
    WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'magic_format'::regclass) \
    AND c.relkind IN ('r', 'p') AND l.collprovider = 'i' \
    AND l.collversion <> pg_collation_actual_version(l.oid) AND EXISTS (SELECT FROM pg_index AS i \
    WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)) ORDER BY 1, 2
    """)
}
