import MagicEngine
import MagicSchema

extension MagicQuery {
  /// Returns the query restricted to a part of an index, in the order of the index.
  ///
  /// ```swift
  /// let adas = try await magic.query(Attendee.self)
  ///   .using(\.byNameAndAge) { $0.equal("Ada").atLeast(18) }
  ///   .limit(10)
  ///   .all()
  /// ```
  ///
  /// The closure compares the first columns of the index: any number for equality, then at most one
  /// with a range. Other conditions do not compile. Therefore the database finds the first object by
  /// one search in the index, and reads no other rows, unless the query has further predicates.
  ///
  /// The objects have the order of the index, then of their row IDs. It replaces the orders that
  /// were added before. If the type does not declare the index, the query throws `.invalidQuery`
  /// when it runs.
  ///
  /// - Parameter direction: whether the index is read from its beginning or from its end. Default:
  ///   ascending.
  public func using<Columns, Condition: MagicIndexCondition>(
    _ index: KeyPath<Model.Type, MagicTypedIndex<Model, Columns>>,
    _ direction: MagicOrder = .ascending,
    _ condition: (MagicIndexColumns<Model, Columns>) -> Condition
  ) -> Self where Condition.Model == Model {
    let columns = Model.self[keyPath: index].columns()
    let predicate = condition(MagicIndexColumns(columns[...], nil))._predicate
    return with {
      $0.order(byIndexOf: Model.self, columns, direction)
      if let predicate { $0.restrict(to: predicate.untyped) }
    }
  }

  /// Returns the query in the order of an index, which the database reads from its beginning or
  /// from its end.
  public func using<Columns>(
    _ index: KeyPath<Model.Type, MagicTypedIndex<Model, Columns>>,
    _ direction: MagicOrder = .ascending
  ) -> Self {
    let columns = Model.self[keyPath: index].columns()
    return with { $0.order(byIndexOf: Model.self, columns, direction) }
  }
}

extension QueryDescription {
  /// Sets the order to that of an index.
  fileprivate mutating func order<Model: MagicObject>(
    byIndexOf type: Model.Type, _ columns: [QueryExpression], _ direction: MagicOrder
  ) {
    let isDescending = direction == .descending
    isRandom = false
    orders = columns.map { SortTerm($0, isDescending: isDescending) }
    do {
      let schema = try ObjectSchema.of(type)
      try schema.checkIndex(columns)
      if isDescending {
        // Rows with equal keys are in the order of their row IDs in the index.
        let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
        orders.append(SortTerm(rowID, isDescending: true))
      }
    } catch {
      self.error = self.error ?? (error as? MagicError) ?? QueryExpression(error).error
    }
  }
}

extension ObjectSchema {
  /// Checks that the type declares an index on columns.
  fileprivate func checkIndex(_ expressions: [QueryExpression]) throws {
    if let error = expressions.lazy.compactMap(\.error).first { throw error }
    let names = expressions.map { expression in
      expression.tree.ownColumn.flatMap { columns.indices.contains($0) ? columns[$0].name : nil }
    }
    guard names.allSatisfy({ $0 != nil }) else {
      throw MagicError(
        .invalidQuery, "An index has only columns of its own type.", type: typeName)
    }
    guard indexes.contains(where: { $0.columns == names.compactMap(\.self) }) else {
      throw MagicError(
        .invalidQuery,
        "The type does not declare the index that the query uses. Add the index to `static var "
          + "indexes` of \(typeName): [theIndex.index].", type: typeName)
    }
  }
}
