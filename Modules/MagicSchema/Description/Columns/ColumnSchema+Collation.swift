import MagicRuntime

extension ColumnSchema {
  /// The collation of the column; nil if texts are compared by their bytes.
  package var collation: MagicCollation? {
    for case .compared(let collation) in options.map(\.kind) { return collation }
    return nil
  }

  static let inexactIdentity =
    "An object is identified by the exact value of its primary or key, which no order of texts may "
    + "change. Remove the option compared, or declare another property with the options unique and "
    + "compared."
}

extension PropertySchema {
  /// The reason why the property cannot be compared by its collation; nil if it can, or has none.
  var collationProblem: String? {
    let collations = options.compactMap { option -> MagicCollation? in
      if case .compared(let collation) = option.kind { collation } else { nil }
    }
    guard let collation = collations.first else { return nil }
    guard let column = self as? ColumnSchema, column.valueType == String.self else {
      return "Only a property of type String has a collation. Remove the option compared."
    }
    guard collations.count == 1 else {
      return "The property has more than one collation. Keep one option compared."
    }
    if column.role == .primary { return ColumnSchema.inexactIdentity }
    if collation.kind == .currentLocale {
      return "The order of a column must not depend on the current locale. Name a locale, as in "
        + ".localized(\"de\")."
    }
    return collation.problem
  }
}

extension MagicCollation {
  /// The reason why texts cannot be compared by the collation; nil if they can.
  package var problem: String? {
    guard case .locale(let identifier) = kind, !TextCollator.isIdentifier(identifier) else {
      return nil
    }
    return
      "The identifier of the locale is not valid. Use at most 64 letters, digits and characters "
      + "of _-@=; as in .localized(\"de_CH\")."
  }
}
