import MagicEngine
public import MagicSchema

/// The rows over which a window function is computed: their partition, their order, and a frame
/// around the current row.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// let ranks = try await people.select {
///   ($0.$name, $0.rank(over: .partition(by: $0.$petName).order(by: $0.$age, .descending)))
/// }
/// .all()
/// ```
///
/// A window is computed over all rows that the conditions of the query find, before limit and
/// offset. In a selection of groups, it is computed over the groups. Nil sorts first, or last if
/// the order is descending. Rows with equal orders are in the order of their row IDs, and groups in
/// the order of their keys; only ranks do not distinguish them.
///
/// Window functions are used in selections and orders. In a condition, an aggregate, an update or a
/// deletion, they make the query throw `.invalidQuery`.
public struct MagicWindow<Model: MagicObject>: Sendable {
  package private(set) var partition: [QueryExpression] = []
  package private(set) var orders: [QueryDescription.SortTerm] = []
  private var frame: WindowFrame?

  /// All rows of the query, without an order.
  public static var all: MagicWindow { MagicWindow() }

  /// The rows that have the same values of the expressions as the current row. Without expressions,
  /// all rows.
  public static func partition<each Key>(
    by keys: repeat MagicExpression<Model, each Key>
  ) -> MagicWindow {
    var window = MagicWindow()
    repeat window.partition.append((each keys).untyped)
    return window
  }

  /// All rows of the query, ordered by an expression.
  public static func order<Value: MagicalOrdered>(
    by expression: MagicExpression<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> MagicWindow {
    MagicWindow().order(by: expression, direction)
  }

  /// Returns the window ordered by an expression. Orders that were added before have priority.
  public func order<Value: MagicalOrdered>(
    by expression: MagicExpression<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> MagicWindow {
    var window = self
    window.orders.append(
      QueryDescription.SortTerm(expression.untyped, isDescending: direction == .descending))
    return window
  }

  /// Returns the window with a frame of rows around the current row, whose position is 0: the current
  /// row and the six before it are `rows(-6...0)`.
  ///
  /// Without a frame, an aggregate over an ordered window uses the rows from the first to the current
  /// one, and over a window without an order all rows of the partition. Ranks, numbers, `lag` and
  /// `lead` use no frame.
  public func rows(_ positions: ClosedRange<Int>) -> MagicWindow {
    framed(WindowFrame(first: positions.lowerBound, last: positions.upperBound))
  }

  /// Returns the window with a frame from the first row to a position: `rows(...0)`.
  public func rows(_ positions: PartialRangeThrough<Int>) -> MagicWindow {
    framed(WindowFrame(first: nil, last: positions.upperBound))
  }

  /// Returns the window with a frame from a position to the last row: `rows(0...)`.
  public func rows(_ positions: PartialRangeFrom<Int>) -> MagicWindow {
    framed(WindowFrame(first: positions.lowerBound, last: nil))
  }

  private func framed(_ frame: WindowFrame) -> MagicWindow {
    var window = self
    window.frame = frame
    return window
  }

  func function<Value>(
    _ function: WindowFunction, of operand: QueryExpression? = nil
  ) -> MagicExpression<Model, Value> {
    MagicExpression<Model, Value>(
      .window(
        function, of: operand, partition: partition,
        orders: orders.map { ($0.expression, $0.isDescending) }, frame: frame))
  }

  func tile(_ count: Int) -> MagicExpression<Model, Int> {
    count > 0
      ? function(.tile(count)) : Self.refused("The number of parts of ntile is less than 1.")
  }

  /// The error of a window in which rows are numbered.
  package var mistake: MagicError? {
    frame == nil
      ? nil : MagicError(.invalidQuery, "The window of top(_:over:) has a frame. Remove rows(_:).")
  }

  package static func refused<Value>(_ text: String) -> MagicExpression<Model, Value> {
    MagicExpression<Model, Value>(QueryExpression(MagicError(.invalidQuery, text)))
  }
}
