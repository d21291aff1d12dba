import MagicEngine
public import MagicQuery
import MagicSchema
public import MagicStore

/// The rows of several selections, which set operations combine. Each row occurs once.
///
/// ```swift
/// let names = try await magic.query(Person.self)
///   .select(\.$name)
///   .union(MagicQuery(Song.self).select(\.$title))
///   .order(.ascending)
///   .all()
/// ```
///
/// The selections may be of different types of objects, or of groups; their rows have the same type,
/// and are decoded as those of the first selection. Each selection keeps its own limit. The operations
/// are applied from left to right. The database runs all of it as one statement.
public struct MagicCombinedSelection<Row, Source> {
  private typealias Part = (operation: SetOperation, query: PreparedQuery)

  private let parts: Result<[Part], any Error>
  private let reader: Result<RowReader<Row>, any Error>
  private let source: Source
  private var orders: [QueryDescription.SortTerm] = []
  private var limit: Int?

  init<Model>(_ first: MagicSelection<Model, Row, Source>) {
    parts = Result { [(.union, try PreparedQuery(Model.self, first.plan, .tuples))] }
    reader = first.reader
    source = first.source
  }

  private init(
    _ parts: Result<[Part], any Error>, of other: MagicCombinedSelection
  ) {
    self.parts = parts
    (reader, source) = (other.reader, other.source)
  }

  /// Returns the rows that are in this selection, or in the other one, or in both.
  public func union<Model>(_ other: MagicSelection<Model, Row, MagicUnbound>) -> Self {
    combined(.union, other)
  }

  /// Returns the rows that are in both selections.
  public func intersect<Model>(_ other: MagicSelection<Model, Row, MagicUnbound>) -> Self {
    combined(.intersect, other)
  }

  /// Returns the rows that are in this selection and not in the other one.
  public func except<Model>(_ other: MagicSelection<Model, Row, MagicUnbound>) -> Self {
    combined(.except, other)
  }

  func combined<Model>(
    _ operation: SetOperation, _ other: MagicSelection<Model, Row, MagicUnbound>
  ) -> Self {
    Self(
      Result {
        if orders.isEmpty, limit == nil, try other.reader.get().objects.count == width {
          let query = try PreparedQuery(Model.self, other.plan, .tuples)
          return try parts.get() + [(operation: operation, query: query)]
        }
        throw MagicError(
          .invalidQuery,
          "A set operation follows an order or a limit, or the selections have different numbers of "
            + "columns. Order and limit the result of all operations.")
      }, of: self)
  }

  private var width: Int { get throws { try reader.get().objects.count } }

  /// Returns the rows ordered by their columns, from the first to the last.
  public func order(_ direction: MagicOrder) -> Self {
    var combined = self
    combined.orders += (0..<((try? width) ?? 0)).map { Self.order(by: $0, direction) }
    return combined
  }

  /// Returns the rows ordered by a column. Orders that were added before have priority.
  ///
  /// - Parameter column: the index of the column, from 0. If there is none, the query throws
  ///   `.invalidQuery` when it runs.
  public func order(byColumn column: Int, _ direction: MagicOrder = .ascending) -> Self {
    var combined = self
    combined.orders.append(Self.order(by: column, direction))
    return combined
  }

  private static func order(
    by column: Int, _ direction: MagicOrder
  ) -> QueryDescription.SortTerm {
    QueryDescription.SortTerm(
      QueryExpression(tree: .selected(column)), isDescending: direction == .descending)
  }

  /// Returns the rows limited to a maximum number. A negative number makes the query throw
  /// `.invalidQuery` when it runs.
  public func limit(_ count: Int) -> Self {
    var combined = self
    combined.limit = count
    return combined
  }

  private func query(_ result: QueryResult, limit: Int?) throws -> PreparedQuery {
    let parts = try parts.get()
    var plan = QueryDescription()
    plan.combined = CombinedSelections(parts)
    plan.groupOrders = orders
    if let limit { plan.limitGroups(to: limit) }
    let width = try width
    for case .selected(let column) in orders.lazy.map(\.expression.tree)
    where !(0..<width).contains(column) {
      throw MagicError(
        .invalidQuery, "The rows are ordered by column \(column), but have \(width) columns.")
    }
    return try PreparedQuery(parts[0].query.schema, plan, result)
  }

  fileprivate var rows: RowsRequest<Row> {
    get throws { RowsRequest(try query(.tuples, limit: limit), try reader.get()) }
  }

  fileprivate var firstRow: RowsRequest<Row> {
    get throws { RowsRequest(try query(.tuples, limit: min(limit ?? 1, 1)), try reader.get()) }
  }

  fileprivate var countRequest: CountRequest {
    get throws { CountRequest(query: try query(.tupleCount, limit: limit)) }
  }
}

extension MagicCombinedSelection: Sendable where Source: Sendable {}

extension MagicSelection {
  /// Returns the rows that are in this selection, or in the other one, or in both.
  public func union<Other>(
    _ other: MagicSelection<Other, Row, MagicUnbound>
  ) -> MagicCombinedSelection<Row, Source> {
    MagicCombinedSelection(self).combined(.union, other)
  }

  /// Returns the rows that are in both selections.
  public func intersect<Other>(
    _ other: MagicSelection<Other, Row, MagicUnbound>
  ) -> MagicCombinedSelection<Row, Source> {
    MagicCombinedSelection(self).combined(.intersect, other)
  }

  /// Returns the rows that are in this selection and not in the other one.
  public func except<Other>(
    _ other: MagicSelection<Other, Row, MagicUnbound>
  ) -> MagicCombinedSelection<Row, Source> {
    MagicCombinedSelection(self).combined(.except, other)
  }
}

extension MagicCombinedSelection where Source: AsyncMagicDatabaseReader, Row: Sendable {
  /// Returns all rows.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func all() async throws -> [Row] { try await source.run(rows) }

  /// Returns the first row; nil if there is none.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func first() async throws -> Row? { try await source.run(firstRow).first }

  /// Returns the number of rows.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> Int { try await source.run(countRequest) }
}

extension MagicCombinedSelection where Source: MagicDatabaseReader {
  /// Like the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func all() throws -> [Row] { try source.run(rows) }

  /// Like the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func first() throws -> Row? { try source.run(firstRow).first }

  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> Int { try source.run(countRequest) }
}
