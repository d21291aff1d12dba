extension PropertySchema {
  /// The error of a box that was created as that of a plain value, in code whose generic parameter is
  /// not constrained to `MagicalRelation`.
  var isNotRelation: MagicError {
    MagicError(
      .invalidSchema,
      "The property is declared in generic code that does not constrain its type to "
        + "MagicalRelation.", property: property)
  }
}
