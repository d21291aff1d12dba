/// Which rows of a type to read, and in what order.
public struct RowRequest: Hashable, Sendable {
  /// The conditions, which all hold.
  public var filters: [RowFilter]
  /// The words that a row has; nil for all rows.
  public var search: RowSearch?
  /// The time for a search that needs no ranking. Default: 0.5 seconds.
  public var searchTime = Duration.milliseconds(500)
  /// The time for ranking what a search by an index has found. After it, the first rows are read in
  /// the order of row IDs, within ``searchTime``. With zero, nothing is ranked. Default: 0.3 seconds.
  public var rankingTime = Duration.milliseconds(300)
  /// The column that determines the order; nil for the scores of a search by an index, else for the
  /// row ID. Rows with equal values have the order of their row IDs.
  public var sorting: InspectedColumn?
  /// Whether the order is descending.
  public var isDescending: Bool
  /// The row that the page begins after, or ends before; nil for the first page.
  public var position: RowPosition?
  /// The maximum number of rows.
  public var limit: Int

  /// Creates a request for the first rows.
  public init(
    filters: [RowFilter] = [], search: RowSearch? = nil, sorting: InspectedColumn? = nil,
    isDescending: Bool = false,
    position: RowPosition? = nil, limit: Int = 50
  ) {
    self.filters = filters
    self.search = search
    self.sorting = sorting
    self.isDescending = isDescending
    self.position = position
    self.limit = limit
  }

  /// The search whose scores determine the order; nil for the order of a column or of row IDs.
  var ranking: RowSearch? {
    // Only a page without ranks has a position without a score.
    guard sorting == nil, position?.isUnranked != true, rankingTime > .zero else { return nil }
    return indexedSearch
  }

  /// The search by an index, if no column determines the order.
  var indexedSearch: RowSearch? { sorting == nil && search?.index != nil ? search : nil }

  /// The conditions as SQL.
  func conditions(_ dialect: RowDialect) -> [String] {
    filters.map { $0.sql(dialect) } + (search.map { [$0.sql(dialect)] } ?? [])
  }

  /// The clause WHERE of conditions; "" without one.
  static func condition(_ parts: [String]) -> String {
    parts.isEmpty ? "" : " WHERE " + parts.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// The values of the parameters of the conditions.
  var values: [InspectedValue] { filters.flatMap(\.values) + (search?.values ?? []) }
}

/// A condition on a column.
public struct RowFilter: Hashable, Sendable {
  /// How a value is compared.
  public enum Comparison: String, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The text contains another one. Upper and lower case of ASCII letters are equal.
    case contains
    /// The text begins with another one.
    case hasPrefix
    case isNull, isNotNull
  }

  /// The column.
  public let column: InspectedColumn
  /// How its value is compared.
  public let comparison: Comparison
  /// What it is compared with; ignored by comparisons with NULL.
  public let value: InspectedValue

  /// Creates a condition.
  public init(
    _ column: InspectedColumn, _ comparison: Comparison, _ value: InspectedValue = .init(.null)
  ) {
    self.column = column
    self.comparison = comparison
    self.value = value
  }

  /// The condition as SQL with one parameter at most.
  func sql(_ dialect: RowDialect) -> String {
    let name = column.column.quoted
    let (key, value) = (dialect.key(of: column), dialect.parameter(for: column))
    switch comparison {
    case .equal: return "\(key) = \(value)"
    case .notEqual: return dialect.isDifferent(column)
    case .less: return "\(key) < \(value)"
    case .lessOrEqual: return "\(key) <= \(value)"
    case .greater: return "\(key) > \(value)"
    case .greaterOrEqual: return "\(key) >= \(value)"
    case .contains, .hasPrefix: return dialect.isLike(column)
    case .isNull: return "\(name) IS NULL"
    case .isNotNull: return "\(name) IS NOT NULL"
    }
  }

  /// The values of the parameters.
  var values: [InspectedValue] {
    switch comparison {
    case .isNull, .isNotNull: return []
    case .contains: return [.init(.text("%\(pattern)%"))]
    case .hasPrefix: return [.init(.text("\(pattern)%"))]
    default: return [value]
    }
  }

  private var pattern: String { LikePattern.literal(value.text(as: column.form) ?? "") }
}

/// The place of a page: next to a row.
public struct RowPosition: Hashable, Sendable {
  /// Whether the page is after the row or before it.
  public enum Side: String, Sendable { case after, before }

  /// The side of the row on which the page is.
  public let side: Side
  /// The row.
  public let rowID: Int64
  /// The row's value of the column, or its score, that determines the order; NULL if that is the row
  /// ID. With NULL and with ``amongBeginnings``, a search by an index is not ranked.
  public let value: InspectedValue

  /// The value of a row of a search without ranks that only has words with the beginning. These rows
  /// follow all rows with whole words.
  static let amongBeginnings = InspectedValue(.integer(1))

  /// Creates a position.
  public init(_ side: Side, rowID: Int64, value: InspectedValue = .init(.null)) {
    self.side = side
    self.rowID = rowID
    self.value = value
  }

  /// Whether the row is one of a search without ranks that only has words with the beginning.
  var isAmongBeginnings: Bool { value == Self.amongBeginnings }

  /// Whether a search by an index is not ranked at this position.
  var isUnranked: Bool { value.isNull || isAmongBeginnings }
}

/// A row of a type's table.
public struct InspectedRow: Hashable, Sendable {
  /// The row ID.
  public let rowID: Int64
  /// The values, in the order of ``InspectedType/columns``.
  public let values: [InspectedValue]
  /// How well the row matches a search, if the search has determined the order. Better matches have
  /// higher scores.
  public var score: Double?

  package init(
    rowID: Int64, values: [InspectedValue], score: Double? = nil
  ) {
    self.rowID = rowID
    self.values = values
    self.score = score
  }
}

/// A page of rows.
public struct RowPage: Hashable, Sendable {
  /// The rows, in the order of the request.
  public let rows: [InspectedRow]
  /// The position of the page before this one; nil if this is the first.
  public let previous: RowPosition?
  /// The position of the page after this one; nil if this is the last.
  public let next: RowPosition?
  /// Whether a search has ended because of its limit of time, so that rows may be missing.
  public let isInterrupted: Bool
  /// Whether the page has all rows.
  package var isWhole: Bool { previous == nil && next == nil && !isInterrupted }
  /// Whether the rows have the order of row IDs because a search by an index has found too many to
  /// rank in its time.
  public let isUnranked: Bool
}

/// A number of rows.
public enum RowCount: Hashable, Sendable {
  /// Counted.
  case exact(Int)
  /// Counting takes too long. There are at most so many.
  case atMost(Int)

  /// The number, exact or not.
  public var number: Int {
    switch self {
    case .exact(let number), .atMost(let number): number
    }
  }

  /// Whether the rows were counted.
  public var isExact: Bool {
    if case .exact = self { return true }
    return false
  }
}
