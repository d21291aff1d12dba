import MagicSchema
import SQLiteTables

/// Updates the reference counts of files while a table is rebuilt, when its triggers do not.
enum FileReferenceCounts {
  /// Returns the step that subtracts the references of a table's rows.
  static func release(_ columns: [String], _ schema: ObjectSchema) -> MagicMigrationPlan.Step {
    step(
      columns, schema, "-",
      "the file references of \(schema.tableName) are subtracted from the counts")
  }

  /// Returns the step that adds the references of a table's rows.
  static func retain(_ columns: [String], _ schema: ObjectSchema) -> MagicMigrationPlan.Step {
    step(columns, schema, "", "the file references of \(schema.tableName) are added to the counts")
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
