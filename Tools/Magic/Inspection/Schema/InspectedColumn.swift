/// A stored property of a type: a column of its table.
public struct InspectedColumn: Hashable, Sendable {
  /// The name in Swift; the name of the column, if the file does not contain it.
  public let property: String
  /// The name of the column.
  public let column: String
  /// The type in Swift, as the file describes it; nil if it does not.
  public let swiftType: String?
  /// What the values represent.
  public let form: InspectedForm
  /// Whether the form is guessed from the column and some of its values, because the file does not
  /// contain it.
  public let isGuess: Bool
  /// The declared type in SQL; "" for reals.
  public let declaredType: String
  /// Whether the column may be NULL.
  public let isOptional: Bool
  /// The raw values of an enumeration, if the file contains them.
  public let cases: [InspectedValue]
  /// The table that a to-one refers to.
  public let target: String?
  /// The collation of texts, `caseInsensitive`, or `localized:` and the identifier of a locale; nil for
  /// values that are compared by their bytes.
  public let collation: String?

  package init(
    property: String, column: String, swiftType: String? = nil, form: InspectedForm, isGuess: Bool,
    declaredType: String, isOptional: Bool, cases: [InspectedValue] = [], target: String?,
    collation: String? = nil
  ) {
    self.property = property
    self.column = column
    self.swiftType = swiftType
    self.form = form
    self.isGuess = isGuess
    self.declaredType = declaredType
    self.isOptional = isOptional
    self.cases = cases
    self.target = target
    self.collation = collation
  }

  /// Whether the column is the row ID.
  public var isRowID: Bool { column == InspectedType.rowIDColumn }
}
