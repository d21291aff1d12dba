import MagicEngine
public import MagicSchema

/// An index whose columns have types, so that the compiler checks the reads that use it.
///
/// ```swift
/// static let byNameAndAge = MagicTypedIndex(\Attendee.$name, \Attendee.$age)
/// static var indexes: [MagicIndex<Attendee>] { [byNameAndAge.index] }
/// ```
///
/// An index has one to five columns. `Columns` is the list of their types: each ``MagicIndexColumn``
/// contains the rest of the list. The table has the index if `indexes` of the type contains
/// ``index``, or if another declaration creates an index on the same columns.
public struct MagicTypedIndex<Model: MagicObject, Columns>: Sendable {
  /// The declaration of the index, for `indexes` of the type.
  public let index: MagicIndex<Model>
  /// Returns the columns. They are evaluated later, because the type's schema depends on `indexes`.
  let columns: @Sendable () -> [QueryExpression]
}

/// The type of a column of an index, and the list of the types of the columns after it.
public struct MagicIndexColumn<Value, Rest> {
  private init() {}
}

/// The end of the list of the types of an index's columns.
public struct MagicIndexEnd {
  private init() {}
}

// An initializer for each number of columns: with a parameter pack, the compiler cannot separate the
// first column from the others.

extension MagicTypedIndex {
  /// Creates an index over one property.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<A>(
    _ first: MagicPath<Model, A>, isUnique: Bool = false
  ) where Columns == MagicIndexColumn<A, MagicIndexEnd> {
    index = MagicIndex(first, isUnique: isUnique)
    columns = { [QueryExpression(first)] }
  }

  /// Creates an index over two properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<A, B>(
    _ first: MagicPath<Model, A>, _ second: MagicPath<Model, B>, isUnique: Bool = false
  ) where Columns == MagicIndexColumn<A, MagicIndexColumn<B, MagicIndexEnd>> {
    index = MagicIndex(first, second, isUnique: isUnique)
    columns = { [QueryExpression(first), QueryExpression(second)] }
  }

  /// Creates an index over three properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<A, B, C>(
    _ first: MagicPath<Model, A>, _ second: MagicPath<Model, B>, _ third: MagicPath<Model, C>,
    isUnique: Bool = false
  ) where Columns == MagicIndexColumn<A, MagicIndexColumn<B, MagicIndexColumn<C, MagicIndexEnd>>> {
    index = MagicIndex(first, second, third, isUnique: isUnique)
    columns = { [QueryExpression(first), QueryExpression(second), QueryExpression(third)] }
  }

  /// Creates an index over four properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<A, B, C, D>(
    _ first: MagicPath<Model, A>, _ second: MagicPath<Model, B>, _ third: MagicPath<Model, C>,
    _ fourth: MagicPath<Model, D>, isUnique: Bool = false
  )
  where
    Columns == MagicIndexColumn<
      A, MagicIndexColumn<B, MagicIndexColumn<C, MagicIndexColumn<D, MagicIndexEnd>>>
    >
  {
    index = MagicIndex(first, second, third, fourth, isUnique: isUnique)
    columns = {
      [
        QueryExpression(first), QueryExpression(second), QueryExpression(third),
        QueryExpression(fourth),
      ]
    }
  }

  /// Creates an index over five properties, in the given order.
  ///
  /// - Parameter isUnique: whether two rows may not have the same values. Default: false.
  public init<A, B, C, D, E>(
    _ first: MagicPath<Model, A>, _ second: MagicPath<Model, B>, _ third: MagicPath<Model, C>,
    _ fourth: MagicPath<Model, D>, _ fifth: MagicPath<Model, E>, isUnique: Bool = false
  )
  where
    Columns == MagicIndexColumn<
      A,
      MagicIndexColumn<
        B, MagicIndexColumn<C, MagicIndexColumn<D, MagicIndexColumn<E, MagicIndexEnd>>>
      >
    >
  {
    index = MagicIndex(first, second, third, fourth, fifth, isUnique: isUnique)
    columns = {
      [
        QueryExpression(first), QueryExpression(second), QueryExpression(third),
        QueryExpression(fourth), QueryExpression(fifth),
      ]
    }
  }
}
