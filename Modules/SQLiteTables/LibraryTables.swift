/// The tables that the library stores its own data in.
package enum LibraryTables {
  /// The names of the tables. SQL of a user must not write to them.
  package static let names = [
    "magic_format", "magic_catalogue", "magic_relationships", Catalogue.columns,
    Catalogue.collations,
    AssetTable.name, Catalogue.assetColumns, "magic_altered",
  ]
}
