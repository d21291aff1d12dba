import MagicEngine
public import MagicSchema

/// A row of a query, or a group of rows, as the argument of a closure: it has a position in a window.
public protocol MagicRankedRow<Model> {
  /// The type of the query's rows.
  associatedtype Model: MagicObject
}

extension MagicRow: MagicRankedRow {}

/// The position of a row in a window of rows, and of a group in a window of groups.
extension MagicRankedRow {
  /// Returns the rank: 1 plus the number of rows or groups before it. Those with equal orders have the
  /// same rank, and the ranks after it are left out: 1, 1, 3.
  public func rank(over window: MagicWindow<Model>) -> MagicExpression<Model, Int> {
    window.function(.rank)
  }

  /// Returns the rank without gaps: 1, 1, 2.
  public func denseRank(over window: MagicWindow<Model>) -> MagicExpression<Model, Int> {
    window.function(.denseRank)
  }

  /// Returns the number of the row or group, beginning with 1. Those with equal orders have different
  /// numbers.
  public func rowNumber(over window: MagicWindow<Model>) -> MagicExpression<Model, Int> {
    window.function(.rowNumber)
  }

  /// Returns the number of the part that contains the row or group, beginning with 1, if they are
  /// divided into parts of equal size. The first parts have one more if their number requires it.
  ///
  /// - Parameter count: the number of parts; if it is less than 1, the query throws `.invalidQuery`.
  public func ntile(
    _ count: Int, over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Int> { window.tile(count) }

  /// Returns the number of rows or groups in the frame.
  public func count(over window: MagicWindow<Model>) -> MagicExpression<Model, Int> {
    window.function(.rowCount)
  }
}
