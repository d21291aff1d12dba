package import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// The search index of a type, and the SQL that creates and drops its tables.
package struct SearchDefinition: Sendable {
  package let schema: ObjectSchema
  package let names: SearchNames
  let search: SearchSchema

  /// Returns nil if the type has no searchable property.
  package init?(_ schema: ObjectSchema) {
    guard let search = schema.search else { return nil }
    self.schema = schema
    self.search = search
    names = SearchNames(table: schema.tableName)
  }

  private var table: String { schema.tableName.quoted }

  var layout: SearchLayout { SearchLayout(search) }

  /// A text that determines the entries of the index: the tokenizer, and the kinds and names of the
  /// columns.
  package var text: String { layout.text }

  // MARK: Tables

  /// Creates the tables of all indexes that are missing, and the function of their triggers. The caller
  /// ensures that no other transaction does the same.
  static var createShared: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(SearchNames.indexes) (\
      table_name text COLLATE "C" PRIMARY KEY, definition text NOT NULL)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(SearchNames.log) (\
      table_name text COLLATE "C" NOT NULL, z_index bigint NOT NULL, event smallint NOT NULL)
      """,
      "CREATE INDEX IF NOT EXISTS magic_search_log_row ON \(SearchNames.log) (table_name, z_index)",
      """
      CREATE OR REPLACE FUNCTION magic_log_search() RETURNS trigger LANGUAGE plpgsql \
      SET search_path FROM CURRENT AS $$ \
      BEGIN \
      IF TG_OP = 'TRUNCATE' THEN \
      EXECUTE format('INSERT INTO \(SearchNames.log) SELECT %L, "z_index", \(SearchEvent.delete) FROM %I', \
      TG_TABLE_NAME, TG_ARGV[0]); \
      RETURN NULL; \
      END IF; \
      IF to_regclass('pg_temp.\(SearchNames.ownLog)') IS NOT NULL THEN \
      \(noteRow(in: "pg_temp." + SearchNames.ownLog)) \
      END IF; \
      \(noteRow(in: SearchNames.log)) \
      END $$
      """,
    ]
  }

  /// The statements of the trigger function that note a changed row in a log, and return.
  private static func noteRow(in log: String) -> String {
    """
    IF TG_OP = 'INSERT' THEN \
    INSERT INTO \(log) VALUES (TG_TABLE_NAME, NEW."z_index", \(SearchEvent.insert)); \
    RETURN NULL; \
    END IF; \
    INSERT INTO \(log) VALUES (TG_TABLE_NAME, OLD."z_index", \(SearchEvent.delete)); \
    IF TG_OP = 'UPDATE' AND NEW."z_index" <> OLD."z_index" THEN \
    INSERT INTO \(log) VALUES (TG_TABLE_NAME, NEW."z_index", \(SearchEvent.delete)); \
    END IF; \
    RETURN NULL;
    """
  }

  /// Creates the tables and triggers of an empty index, and the shared tables if they are missing.
  package var create: [String] { Self.createShared + createIndex }

  /// Creates the tables and triggers of an empty index.
  var createIndex: [String] {
    let (words, rows) = (names.words.quoted, names.rows.quoted)
    return [
      """
      CREATE TABLE \(words) ("word" bytea NOT NULL, "z_index" bigint NOT NULL, \
      "places" bigint[] NOT NULL, PRIMARY KEY ("word", "z_index"))
      """,
      "CREATE INDEX \(names.wordsOfRows.quoted) ON \(words) (\"z_index\")",
      "CREATE TABLE \(rows) (\"z_index\" bigint PRIMARY KEY, \"size\" bigint NOT NULL)",
      "CREATE TABLE \(names.totals.quoted) (\"rows\" bigint NOT NULL, \"words\" bigint NOT NULL)",
    ] + createTriggers + [
      "INSERT INTO \(SearchNames.indexes) VALUES (\(schema.tableName.literal), \(text.literal))"
    ]
  }

  private var createTriggers: [String] {
    // Texts that a collation considers equal have different words.
    let values = search.columns.map { column in
      column.name.quoted + (schema.columns[column.index].type == .text ? " COLLATE \"C\"" : "")
    }
    let changes = (["\"z_index\""] + values)
      .map { "OLD.\($0) IS DISTINCT FROM NEW.\($0)" }.joined(separator: " OR ")
    let events = [
      "AFTER INSERT OR DELETE ON \(table) FOR EACH ROW",
      "AFTER UPDATE ON \(table) FOR EACH ROW WHEN (\(changes))",
      "AFTER TRUNCATE ON \(table) FOR EACH STATEMENT",
    ]
    return zip(names.changeTriggers, events).map { name, event in
      "CREATE TRIGGER \(name.quoted) \(event) "
        + "EXECUTE FUNCTION magic_log_search(\(names.rows.literal))"
    }
  }
}

extension SearchNames {
  /// Returns the definition of the stored index; nil if there is none.
  package func definition(on connection: PostgreSQLConnection) throws -> String? {
    do {
      let exists = try connection.execute(
        "SELECT to_regclass('\(Self.indexes)') IS NOT NULL AND to_regclass(\(words.literal)) IS NOT NULL "
          + "AND to_regclass(\(totals.literal)) IS NOT NULL"
      )
      guard exists.text(0, 0) == "t" else { return nil }
      let result = try connection.execute(
        "SELECT definition FROM \(Self.indexes) WHERE table_name = \(table.literal)")
      return result.count > 0 ? result.text(0, 0) : nil
    } catch {
      throw MagicError(error)
    }
  }

  /// Drops the index of a table, if it exists.
  package func drop(ofTable name: String) -> [String] {
    changeTriggers.map { "DROP TRIGGER IF EXISTS \($0.quoted) ON \(name.quoted)" } + [
      "DROP TABLE IF EXISTS \(words.quoted), \(rows.quoted), \(totals.quoted)",
      "DELETE FROM \(Self.indexes) WHERE table_name = \(table.literal)",
      "DELETE FROM \(Self.log) WHERE table_name = \(table.literal)",
    ]
  }
}

/// What has happened to a row in the log.
enum SearchEvent {
  static let insert = 1
  /// The index may have entries of the row.
  static let delete = 2
}
