import MagicEngine
public import MagicSchema
public import Magical

/// The columns of an index that a read has not used yet, as the argument of a closure:
/// `{ $0.equal("Dallas").greater(than: "M") }`.
///
/// A read compares the first columns for equality, and then at most one column with a range.
public struct MagicIndexColumns<Model: MagicObject, Columns>: MagicIndexCondition {
  /// The columns of the index, beginning with the next one.
  let columns: ArraySlice<QueryExpression>
  /// The condition as a predicate; nil for all rows.
  public let _predicate: MagicPredicate<Model>?

  init(_ columns: ArraySlice<QueryExpression>, _ predicate: MagicPredicate<Model>?) {
    self.columns = columns
    _predicate = predicate
  }
}

/// A condition on the first columns of an index.
public protocol MagicIndexCondition<Model> {
  /// The type of the objects.
  associatedtype Model: MagicObject
  /// The condition as a predicate; nil for all rows.
  var _predicate: MagicPredicate<Model>? { get }
}

/// A condition on the first columns of an index that no other column can follow.
public struct MagicIndexRange<Model: MagicObject>: MagicIndexCondition {
  /// The condition as a predicate.
  public let _predicate: MagicPredicate<Model>?
}

extension MagicIndexColumns {
  fileprivate var column: QueryExpression {
    // The types of the methods exclude a column after the last one.
    columns.first ?? QueryExpression(QueryValue.null)
  }

  fileprivate func and(_ predicate: MagicPredicate<Model>) -> MagicPredicate<Model> {
    _predicate.map { $0 && predicate } ?? predicate
  }

  fileprivate func compare(
    _ comparison: ComparisonOperator, _ value: QueryExpression
  ) -> MagicPredicate<Model> { .comparison(comparison, column, value) }

  fileprivate func range(
    _ comparison: ComparisonOperator, _ value: some Magical
  ) -> MagicIndexRange<Model> {
    MagicIndexRange(_predicate: and(compare(comparison, QueryExpression(value: value))))
  }

  fileprivate func range(
    _ low: some Magical, _ comparison: ComparisonOperator, _ high: some Magical
  ) -> MagicIndexRange<Model> {
    MagicIndexRange(
      _predicate: and(
        compare(.greaterOrEqual, QueryExpression(value: low))
          && compare(comparison, QueryExpression(value: high))))
  }
}

/// Equality.
extension MagicIndexColumns {
  /// Restricts the read to rows whose next column equals a value.
  public func equal<Value: Magical, Rest>(
    _ value: Value
  ) -> MagicIndexColumns<Model, Rest> where Columns == MagicIndexColumn<Value, Rest> {
    MagicIndexColumns<Model, Rest>(
      columns.dropFirst(), and(compare(.equal, QueryExpression(value: value))))
  }

  /// Restricts the read to rows whose next column equals a value. Nil equals nil.
  public func equal<Value: Magical, Rest>(
    _ value: Value?
  ) -> MagicIndexColumns<Model, Rest> where Columns == MagicIndexColumn<Value?, Rest> {
    MagicIndexColumns<Model, Rest>(
      columns.dropFirst(), and(compare(.equal, QueryExpression(value: value))))
  }
}

/// Ranges.
extension MagicIndexColumns {
  /// Restricts the read to rows whose next column is greater than a value.
  public func greater<Value: MagicalOrdered & Magical, Rest>(
    than value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(.greater, value)
  }

  /// Restricts the read to rows whose next column is at least a value.
  public func atLeast<Value: MagicalOrdered & Magical, Rest>(
    _ value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(.greaterOrEqual, value)
  }

  /// Restricts the read to rows whose next column is less than a value.
  public func less<Value: MagicalOrdered & Magical, Rest>(
    than value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(.less, value)
  }

  /// Restricts the read to rows whose next column is at most a value.
  public func atMost<Value: MagicalOrdered & Magical, Rest>(
    _ value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(.lessOrEqual, value)
  }

  /// Restricts the read to rows whose next column is in a range.
  public func within<Value: MagicalOrdered & Magical & Comparable, Rest>(
    _ bounds: ClosedRange<Value>
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(bounds.lowerBound, .lessOrEqual, bounds.upperBound)
  }

  /// Restricts the read to rows whose next column is in a range without its upper bound.
  public func within<Value: MagicalOrdered & Magical & Comparable, Rest>(
    _ bounds: Range<Value>
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    range(bounds.lowerBound, .less, bounds.upperBound)
  }
}

/// Ranges of optional columns. Nil is in no range.
extension MagicIndexColumns {
  /// Restricts the read to rows whose next column is greater than a value, and not nil.
  public func greater<Value: MagicalOrdered & Magical, Rest>(
    than value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(.greater, value)
  }

  /// Restricts the read to rows whose next column is at least a value, and not nil.
  public func atLeast<Value: MagicalOrdered & Magical, Rest>(
    _ value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(.greaterOrEqual, value)
  }

  /// Restricts the read to rows whose next column is less than a value, and not nil.
  public func less<Value: MagicalOrdered & Magical, Rest>(
    than value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(.less, value)
  }

  /// Restricts the read to rows whose next column is at most a value, and not nil.
  public func atMost<Value: MagicalOrdered & Magical, Rest>(
    _ value: Value
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(.lessOrEqual, value)
  }

  /// Restricts the read to rows whose next column is in a range.
  public func within<Value: MagicalOrdered & Magical & Comparable, Rest>(
    _ bounds: ClosedRange<Value>
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(bounds.lowerBound, .lessOrEqual, bounds.upperBound)
  }

  /// Restricts the read to rows whose next column is in a range without its upper bound.
  public func within<Value: MagicalOrdered & Magical & Comparable, Rest>(
    _ bounds: Range<Value>
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value?, Rest> {
    range(bounds.lowerBound, .less, bounds.upperBound)
  }
}

/// Prefixes of text.
extension MagicIndexColumns {
  /// Restricts the read to rows whose next column begins with a text.
  public func hasPrefix<Value: MagicText, Rest>(
    _ prefix: String
  ) -> MagicIndexRange<Model> where Columns == MagicIndexColumn<Value, Rest> {
    MagicIndexRange(_predicate: and(MagicExpression<Model, Value>(column).hasPrefix(prefix)))
  }
}
