import MagicSchema

extension TableDefinition {
  /// The name of the trigger that counts the assets of a column.
  package static func assetTrigger(_ column: String, of table: String) -> String {
    "magic_asset_" + ObjectSchema.fingerprint(of: "\(table)\u{1F}\(column)")
  }

  /// Creates the triggers that count the assets of the type's columns.
  package var createAssetTriggers: [String] {
    schema.fileColumns.map {
      Self.createAssetTrigger(schema.columns[$0].name, of: schema.tableName)
    }
  }

  /// Creates the trigger that counts the assets of a column.
  package static func createAssetTrigger(_ column: String, of table: String) -> String {
    "CREATE TRIGGER \(assetTrigger(column, of: table).quoted) AFTER INSERT OR DELETE "
      + "OR UPDATE OF \(column.quoted) ON \(table.quoted) FOR EACH ROW "
      + "EXECUTE FUNCTION magic_count_asset(\(column.literal))"
  }
}
