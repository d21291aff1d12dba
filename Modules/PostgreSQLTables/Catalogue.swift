import MagicEngine
package import MagicPostgreSQL
package import MagicSchema

/// The library's own tables: the types of the tables, and the relationships between them. Each process
/// reads them, so that delete rules also apply to the rows of types that it does not have.
package enum Catalogue {
  /// The version of the form in which this library stores types.
  package static let format = 1

  /// Creates the tables. Nothing is done if they exist.
  package static let create =
    [
      "CREATE TABLE IF NOT EXISTS magic_format (version bigint NOT NULL)",
      """
      ALTER TABLE magic_format ADD COLUMN IF NOT EXISTS migrations bigint NOT NULL DEFAULT 0
      """,
      "INSERT INTO magic_format (version) SELECT \(format) WHERE NOT EXISTS (SELECT FROM magic_format)",
      """
      CREATE TABLE IF NOT EXISTS magic_types (\
      table_name text COLLATE "C" PRIMARY KEY, type_name text NOT NULL, fingerprint text NOT NULL, \
      version bigint NOT NULL)
      """,
      """
      ALTER TABLE magic_types ADD COLUMN IF NOT EXISTS earlier text[] NOT NULL DEFAULT '{}'
      """,
      """
      ALTER TABLE magic_types ADD COLUMN IF NOT EXISTS properties text NOT NULL DEFAULT ''
      """,
      """
      CREATE TABLE IF NOT EXISTS magic_relationships (\
      owner text COLLATE "C" NOT NULL, property text COLLATE "C" NOT NULL, \
      target text COLLATE "C" NOT NULL, join_table text COLLATE "C", rule text NOT NULL, \
      PRIMARY KEY (owner, property))
      """,
      """
      CREATE TABLE IF NOT EXISTS magic_commits (\
      token uuid PRIMARY KEY, is_committed boolean NOT NULL DEFAULT true, \
      time timestamptz NOT NULL DEFAULT now())
      """,
      PropertyDescriptions.create,
    ] + AssetTables.create

  /// Whether the tables exist, and have all columns.
  package static let hasTables = PostgreSQLStatement(
    """
    SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('magic_format') \
    AND attname = 'migrations') AND EXISTS (SELECT FROM pg_attribute \
    WHERE attrelid = to_regclass('magic_types') AND attname = 'properties') \
    AND to_regclass('magic_columns') IS NOT NULL \
    AND to_regclass('magic_assets') IS NOT NULL \
    AND to_regclass('magic_commits') IS NOT NULL
    """)

  /// Counts a migration, so that other processes read the catalogue again.
  package static let noteMigration = "UPDATE magic_format SET migrations = migrations + 1"

  /// The number of migrations that have run.
  package static let selectMigrations = "SELECT migrations FROM magic_format"

  /// The same as a text. Prepared, because each save sends it with the begin of its transaction.
  package static let migrationsAsText = PostgreSQLStatement(
    "SELECT migrations::text FROM magic_format")

  package static let selectTables = PostgreSQLStatement(
    "SELECT table_name, type_name FROM magic_types")

  /// Returns the names of the types of all tables, by the names of the tables.
  package static func tables(on connection: PostgreSQLConnection) throws -> [String: String] {
    let result = try translatingErrors { try connection.run(selectTables) }
    return Dictionary(
      uniqueKeysWithValues: (0..<result.count).map {
        (result.text($0, 0), result.text($0, 1))
      })
  }

  package static let deleteRelationships = PostgreSQLStatement(
    "DELETE FROM magic_relationships WHERE owner = $1", [.text])

  /// Returns whether the tables exist.
  package static func exists(on connection: PostgreSQLConnection) throws -> Bool {
    try translatingErrors { try connection.run(hasTables) }.integer(0, 0) == 1
  }

  package static let selectFormat = PostgreSQLStatement("SELECT version FROM magic_format")

  /// The schema that contains the tables, and the OIDs of the database and of the table `magic_format`.
  package static let selectSchema = PostgreSQLStatement(
    """
    SELECT n.nspname::text, \
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()), c.oid::bigint \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE c.oid = to_regclass('magic_format')
    """)

  /// The second parameter is the fingerprint of a type. The third column says whether the table had it since
  /// the last declared step.
  package static let selectType = PostgreSQLStatement(
    """
    SELECT fingerprint, version, $2 = ANY(earlier), EXISTS (SELECT FROM pg_trigger \
    WHERE tgrelid = to_regclass(quote_ident($1)) AND NOT tgisinternal AND tgname !~ '^magic_'), properties \
    FROM magic_types WHERE table_name = $1
    """, [.text, .text])

  package static let insertType = PostgreSQLStatement(
    """
    INSERT INTO magic_types VALUES ($1, $2, $3, $4) ON CONFLICT (table_name) DO UPDATE \
    SET type_name = $2, fingerprint = $3, version = $4, earlier = CASE \
    WHEN magic_types.version <> $4 THEN '{}' \
    WHEN magic_types.fingerprint = ANY(magic_types.earlier) THEN magic_types.earlier \
    ELSE magic_types.earlier || magic_types.fingerprint END
    """, [.text, .text, .text, .bigint])

  package static let insertRelationship = PostgreSQLStatement(
    """
    INSERT INTO magic_relationships VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, property) \
    DO UPDATE SET target = $3, join_table = $4, rule = $5
    """, [.text, .text, .text, .text, .text])

  package static let selectRelationships = PostgreSQLStatement(
    "SELECT owner, property, target, join_table, rule FROM magic_relationships")

  /// The condition that the column `a` is the one at the place `k.position` of the index `i`. The
  /// expression of a column without the case of letters names it.
  package static let isIndexedColumn = """
    a.attrelid = i.indrelid AND (a.attnum = k.number OR k.number = 0 \
    AND pg_get_indexdef(i.indexrelid, k.position::integer, false) \
    = 'lower((' || quote_ident(a.attname) || ' COLLATE "C"))')
    """

  /// The indexes of a table over expressions, and the partial ones, that the library has created.
  package static let selectComputedIndexes = PostgreSQLStatement(
    """
    SELECT c.relname::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
    WHERE i.indrelid = to_regclass($1) AND starts_with(c.relname::text, $2)
    """, [.text, .text])
}

/// A relationship in the catalogue.
package struct Relationship {
  package let owner: String
  /// The column or the property.
  package let property: String
  package let target: String
  /// The join table of a collection; nil for a to-one relationship.
  package let joinTable: String?
  package let rule: MagicDeleteRule

  /// Returns the relationship after tables were renamed.
  ///
  /// - Parameter names: the new names, by the old ones.
  package func renaming(_ names: [String: String]) -> Relationship {
    Relationship(
      owner: names[owner] ?? owner, property: property, target: names[target] ?? target,
      joinTable: joinTable, rule: rule)
  }

  private init(
    owner: String, property: String, target: String, joinTable: String?, rule: MagicDeleteRule
  ) {
    self.owner = owner
    self.property = property
    self.target = target
    self.joinTable = joinTable
    self.rule = rule
  }

  package init(_ result: PostgreSQLResult, _ row: Int) {
    owner = result.text(row, 0)
    property = result.text(row, 1)
    target = result.text(row, 2)
    joinTable = result.isNull(row, 3) ? nil : result.text(row, 3)
    rule = MagicDeleteRule(rawValue: result.text(row, 4)) ?? .deny
  }
}
