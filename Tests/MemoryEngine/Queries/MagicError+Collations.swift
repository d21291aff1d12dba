import MagicSchema

extension MagicError {
  /// The error of an engine that compares texts by their bytes only.
  static func noCollations(type: String? = nil, property: String? = nil) -> MagicError {
    MagicError(
      .unsupported,
      "This kind of database has no collations: it compares texts by their bytes. Remove the option "
        + "compared from the property and the collation from the query.", type: type,
      property: property)
  }
}
