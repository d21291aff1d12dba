import MagicSQLite
import MagicSchema

/// Takes the uses of files into account where a table's triggers do not, because it is made anew.
enum FileCounting {
  /// The rows of a table do not count any more.
  static func release(_ columns: [String], _ schema: ObjectSchema) -> MagicMigrationPlan.Step {
    step(columns, schema, "-", "the files of \(schema.tableName) are counted out")
  }

  /// The rows of a table count from now on.
  static func retain(_ columns: [String], _ schema: ObjectSchema) -> MagicMigrationPlan.Step {
    step(columns, schema, "", "the files of \(schema.tableName) are counted")
  }

  private static func step(
    _ columns: [String], _ schema: ObjectSchema, _ sign: String, _ summary: String
  ) -> MagicMigrationPlan.Step {
    let statements = columns.map { column in
      """
      INSERT INTO "magic_assets" ("name", "uses") SELECT \(column.quoted), \(sign)count(*) \
      FROM \(schema.tableName.quoted) \
      WHERE \(column.quoted) IN (SELECT "name" FROM "magic_assets" WHERE "uses" >= 0) \
      GROUP BY \(column.quoted) \
      ON CONFLICT ("name") DO UPDATE SET "uses" = "uses" + excluded."uses"
      """
    }
    return MagicMigrationPlan.Step(
      type: schema.typeName, kind: .additive, summary: summary, sql: statements)
  }

  /// - Throws: `MagicError` with `.assetMissing` where rows name files that are not there.
  static func check(
    _ columns: [String], _ schema: ObjectSchema, on connection: SQLiteConnection
  ) throws {
    for column in columns {
      let rows = try TableFacts.firstRows(
        """
        SELECT "z_index" FROM \(schema.tableName.quoted) WHERE \(column.quoted) <> '' \
        AND \(column.quoted) NOT IN (SELECT "name" FROM "magic_assets" WHERE "uses" >= 0)
        """, on: connection)
      guard rows.isEmpty else {
        throw MagicError(
          .assetMissing,
          "Column \(column) of table \(schema.tableName): \(RowNames.text(rows, ("names", "name"))) files that "
            + "are not there.", type: schema.typeName, property: schema.property(storedAs: column))
      }
    }
  }
}
