public import MagicQuery

/// A part of the rows of a selection, in its order.
public struct MagicRowPage<Row> {
  /// The rows.
  public let rows: [Row]
  /// The place after the last row; nil if no row follows.
  public let next: MagicCursor?
  /// The place before the first row; nil if the page begins with the first row of the selection.
  public let previous: MagicCursor?
}

extension MagicRowPage: Sendable where Row: Sendable {}
