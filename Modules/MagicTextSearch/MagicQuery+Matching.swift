import MagicEngine
public import MagicExpressions
public import MagicQuery
import MagicSchema

/// Searches of the texts of objects: of the properties with the option `searchable`.
extension MagicQuery {
  /// Returns the query restricted to the objects that contain all words of a text that a person
  /// types. The last word may be incomplete, unless white space follows it.
  ///
  /// ```swift
  /// let hits = try await magic.query(Essay.self)
  ///   .matching("swift conc")
  ///   .where(\.$section == "dev")
  ///   .limit(20)
  ///   .hits()
  /// ```
  ///
  /// No text is a syntax error, and an empty one finds nothing. Without `order(by:)` the best matches
  /// are the first ones. The query can be read, counted, observed, updated and deleted like any
  /// other. `hits()` returns the objects with their scores and highlights. Pages and streams of
  /// it repeat or leave out an object if the scores change between two pages.
  public func matching(_ text: String) -> Self { matching(.typed(text)) }

  /// Returns the query restricted to the objects that a search finds.
  public func matching(_ match: MagicMatch) -> Self {
    searching(match) { _ in nil }
  }

  /// Returns the query restricted to the objects that a search finds in some properties.
  public func matching<each Value>(
    _ match: MagicMatch, in paths: repeat MagicPath<Model, each Value>
  ) -> Self {
    var properties: [QueryExpression] = []
    repeat properties.append(QueryExpression(each paths))
    return searching(match) { schema in
      Set(try properties.map { try $0.searchedColumn(of: schema) })
    }
  }

  private func searching(
    _ match: MagicMatch, in columns: (ObjectSchema) throws -> Set<Int>?
  ) -> Self {
    with { plan in
      do {
        let schema = try ObjectSchema.of(Model.self)
        plan.search(for: MatchWriter.search(match, in: try columns(schema), of: schema))
      } catch {
        plan.error = plan.error ?? QueryExpression(error).error
      }
    }
  }
}

extension MagicRow {
  /// Whether the texts of the row contain all words of a text that a person types, as for
  /// `matching(_:)` of a query.
  public func matches(_ text: String) -> MagicPredicate<Model> { matches(.typed(text)) }

  /// Whether a search finds the row.
  public func matches(_ match: MagicMatch) -> MagicPredicate<Model> {
    do {
      let schema = try ObjectSchema.of(Model.self)
      return MagicPredicate(
        .matches(
          schema, row: zIndex.untyped, MatchWriter.search(match, in: nil, of: schema).text))
    } catch {
      return MagicPredicate(QueryExpression(error))
    }
  }

  /// How well the row matches the search of a query with `matching(_:)`: the negated BM25 value, with
  /// the weights of the properties. Larger is better. The values depend on all rows of the type.
  public var score: MagicExpression<Model, Double> {
    do {
      let schema = try ObjectSchema.of(Model.self)
      return MagicExpression(QueryExpression(tree: .column(.score(of: schema, in: scope))))
    } catch {
      return MagicExpression(QueryExpression(error))
    }
  }
}

extension MagicExpression {
  /// Whether this property contains all words of a text that a person types.
  public func matches(_ text: String) -> MagicPredicate<Model> { matches(.typed(text)) }

  /// Whether a search finds the row by this property. For a to-one relationship: whether it finds the
  /// object that the relationship refers to.
  public func matches(_ match: MagicMatch) -> MagicPredicate<Model> {
    do {
      let (row, schema, column) = try untyped.searched()
      return MagicPredicate(
        .matches(
          schema, row: row,
          MatchWriter.search(match, in: column.map { [$0] }, of: schema).text))
    } catch {
      return MagicPredicate(QueryExpression(error))
    }
  }
}

extension QueryExpression {
  /// Returns the index of this property in the search index of its type.
  fileprivate func searchedColumn(of schema: ObjectSchema) throws -> Int {
    if let error { throw error }
    guard case .column(let path) = tree, path.toOnes.isEmpty else {
      throw MagicError(
        .invalidQuery, "A search is restricted to properties of the type itself.",
        type: schema.typeName)
    }
    return try Self.searchedColumn(path.property, of: schema)
  }

  private static func searchedColumn(_ property: Int, of schema: ObjectSchema) throws -> Int {
    guard let search = schema.search else { throw MagicError.nothingSearchable(schema) }
    guard let column = search.columns.firstIndex(where: { $0.index == property }) else {
      throw MagicError(
        .invalidQuery,
        "The property cannot be searched. Declare it with @MagicValue(.searchable).",
        type: schema.typeName,
        property: schema.columns.indices.contains(property)
          ? schema.columns[property].property : nil)
    }
    return column
  }

  /// Returns the row ID of the row that the expression is a property of, the type of the row, and the
  /// index of the property in the search index; nil for a to-one relationship, whose object is the
  /// row.
  fileprivate func searched() throws -> (QueryExpression, ObjectSchema, Int?) {
    if let error { throw error }
    guard case .column(let path) = tree, var schema = ObjectSchema.numbered(path.type) else {
      throw MagicError(.invalidQuery, "Only a property can be searched, not a computed value.")
    }
    for toOne in path.toOnes {
      guard let column = schema.columns[toOne] as? ToOneColumn else {
        throw MagicError.malformedQuery
      }
      schema = try column.target
    }
    if schema.columns.indices.contains(path.property),
      let toOne = schema.columns[path.property] as? ToOneColumn
    {
      return (self, try toOne.target, nil)
    }
    let row = ColumnPath(
      toOnes: path.toOnes, scope: path.scope, type: path.type, property: ColumnPath.rowID)
    return (
      QueryExpression(tree: .column(row)), schema,
      try Self.searchedColumn(path.property, of: schema)
    )
  }
}
