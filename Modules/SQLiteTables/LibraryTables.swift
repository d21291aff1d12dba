/// The tables that the library keeps its own records in.
package enum LibraryTables {
  /// Their names: SQL of a user does not write to them.
  package static let names = [
    "magic_format", "magic_catalogue", "magic_relationships", AssetTable.name,
    Catalogue.assetColumns, "magic_touched",
  ]
}
