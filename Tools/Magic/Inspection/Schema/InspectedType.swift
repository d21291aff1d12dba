/// A type of objects that a file contains: a table, its properties and its indexes.
public struct InspectedType: Hashable, Sendable {
  /// The column with the row ID, in every table of a type.
  public static let rowIDColumn = "z_index"

  /// The table.
  public let table: String
  /// The name of the type in Swift.
  public let name: String
  /// The stored properties that are columns, to-ones included, in the order of the table.
  public let columns: [InspectedColumn]
  /// All relationships, to-ones included.
  public let relationships: [InspectedRelationship]
  /// The indexes of the table, in the order in which they were created.
  public let indexes: [InspectedIndex]
  /// The search index of the type; nil if it has none.
  public let searchIndex: InspectedSearchIndex?
  /// Whether the file describes the properties. If it does not, their forms are guesses.
  public let isDescribed: Bool
  /// The column whose values identify an object for a reader, such as a name; nil if there is none.
  public let labelColumn: InspectedColumn?
  /// The number of the last migration step.
  public let version: Int

  package init(
    table: String, name: String, columns: [InspectedColumn], relationships: [InspectedRelationship],
    indexes: [InspectedIndex], searchIndex: InspectedSearchIndex? = nil, isDescribed: Bool,
    version: Int
  ) {
    self.table = table
    self.name = name
    self.columns = columns
    self.relationships = relationships
    self.indexes = indexes
    self.searchIndex = searchIndex
    self.isDescribed = isDescribed
    labelColumn = Self.labelColumn(columns, indexes: indexes)
    self.version = version
  }

  /// Returns the column of a property. The name is that in Swift or that of the column.
  public func column(named name: String) -> InspectedColumn? {
    columns.first { $0.property == name } ?? columns.first { $0.column == name }
  }

  /// Returns a relationship by its name in Swift.
  public func relationship(named name: String) -> InspectedRelationship? {
    relationships.first { $0.property == name }
  }

  /// The number of columns, collections and inverse relationships.
  package var propertyCount: Int {
    columns.count + relationships.count { $0.form != .one }
  }

  /// The columns whose values identify one object each, by a unique index.
  public var uniqueColumns: [InspectedColumn] {
    columns.filter { $0.isRowID || isUnique($0) }
  }

  /// The property that is probably the primary: the row ID, a unique `id`, or the first column, if it is
  /// unique. The file does not contain which one it is.
  public var probablePrimary: InspectedColumn? {
    if let rowID = columns.first(where: \.isRowID) { return rowID }
    let unique = uniqueColumns.filter { !$0.isOptional && $0.form != .one }
    return unique.first { $0.property == "id" } ?? unique.first { $0 == columns.first }
  }

  /// Returns whether a unique index permits no two objects with the same value of a property.
  public func isUnique(_ column: InspectedColumn) -> Bool {
    indexes.contains { $0.identifies(column) }
  }

  /// Chooses the column that names an object: a text called `name` or similar, else a unique text,
  /// else any text.
  private static func labelColumn(
    _ columns: [InspectedColumn], indexes: [InspectedIndex]
  ) -> InspectedColumn? {
    let texts = columns.filter { $0.form == .text }
    for word in ["name", "title", "label", "caption", "subject", "headline", "displayName"] {
      let lower = word.lowercased()
      if let column = texts.first(where: { $0.property.lowercased() == lower }) { return column }
    }
    if let column = texts.first(where: { $0.property.lowercased().hasSuffix("name") }) {
      return column
    }
    let unique = columns.filter { column in indexes.contains { $0.identifies(column) } }
    return unique.first { $0.form == .text } ?? texts.first { $0.property != "id" }
      ?? unique.first { $0.form != .one }
  }
}

/// An index of a table.
public struct InspectedIndex: Hashable, Sendable {
  /// The name of the index.
  public let name: String
  /// The columns; "" for an expression.
  public let columns: [String]
  /// The collations of the columns, such as `BINARY`.
  public let collations: [String]
  /// Whether the index is unique.
  public let isUnique: Bool
  /// Whether the index contains only the rows that a condition selects.
  public let isPartial: Bool
  /// The access method, such as `btree`.
  public let method: String

  package init(
    name: String, columns: [String], collations: [String], isUnique: Bool, isPartial: Bool,
    method: String = "btree"
  ) {
    self.name = name
    self.columns = columns
    self.collations = collations
    self.isUnique = isUnique
    self.isPartial = isPartial
    self.method = method
  }

  /// Whether the index finds the rows that refer to an object.
  package func finds(_ column: String) -> Bool {
    columns.first == column && !isPartial && (method == "btree" || method == "hash")
  }

  /// Whether the index permits no two rows with the same value of a column.
  func identifies(_ column: InspectedColumn) -> Bool {
    isUnique && !isPartial && columns == [column.column]
  }
}

/// What `ANALYZE` has found out about a table or an index.
public struct InspectedStatistics: Hashable, Sendable {
  /// The table.
  public let table: String
  /// The index; nil for a table without an index.
  public let index: String?
  /// The number of rows at that time.
  public let rows: Int
  /// How many rows have the same value on average: of the first column, of the first two, and so on.
  public let rowsPerKey: [Int]
}
