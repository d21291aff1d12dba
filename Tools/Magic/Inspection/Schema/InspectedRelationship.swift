/// A relationship of a type: a to-one, a collection, or an inverse relationship.
public struct InspectedRelationship: Hashable, Sendable {
  /// Where the file has the members.
  public enum Source: Hashable, Sendable {
    /// In a column of the owner's table.
    case column(String)
    /// In a join table with the columns `owner`, `target`, and `position` or `key`.
    case joinTable(String)
    /// In two columns of the members' table.
    case owned(owner: String, position: String)
    /// In the rows of a join type.
    case joinType(table: String, owner: String, target: String, order: String, isSet: Bool)
    /// In a relationship of another type, which this one is the inverse of. The source is that of
    /// the other relationship.
    indirect case inverse(table: String, property: String, of: Source)
  }

  /// The name in Swift; the name in the file, if the file does not contain it.
  public let property: String
  /// The name in the file; nil for a relationship that is not stored.
  public let storedName: String?
  /// The table of the type that has the relationship.
  public let owner: String
  /// The table of the members.
  public let target: String
  /// The form: ``InspectedForm/one``, or a form with members.
  public let form: InspectedForm
  /// The type in Swift, as the file describes it; nil if it does not.
  public let swiftType: String?
  /// The delete rule: `nullify`, `deny` or `cascade`; nil for a relationship that is not stored.
  public let deleteRule: String?
  /// The form of the keys of a dictionary.
  public let keyForm: InspectedForm?
  /// Where the file has the members.
  public let source: Source

  package init(
    property: String, storedName: String?, owner: String, target: String, form: InspectedForm,
    swiftType: String? = nil, deleteRule: String?, keyForm: InspectedForm?, source: Source
  ) {
    self.property = property
    self.storedName = storedName
    self.owner = owner
    self.target = target
    self.form = form
    self.swiftType = swiftType
    self.deleteRule = deleteRule
    self.keyForm = keyForm
    self.source = source
  }

  /// Whether the relationship is stored: not an inverse relationship, and not one through a join
  /// type, whose rows are objects with relationships of their own.
  public var isStored: Bool {
    switch source {
    case .column, .joinTable, .owned: true
    case .joinType, .inverse: false
    }
  }
}
