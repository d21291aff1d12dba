import MagicSchema
import SQLiteTables

/// Counts the references to files where a table's triggers do not, because it is rebuilt.
enum FileReferenceCounts {
  /// The references of a table's rows are no longer counted.
  static func release(_ columns: [String], _ schema: ObjectSchema) -> MagicMigrationPlan.Step {
    step(columns, schema, "-", "the files of \(schema.tableName) are counted out")
  }

  /// The references of a table's rows are counted from now on.
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
}
