import MagicEngine
public import MagicExpressions
import MagicSchema

extension MagicExpression where Value == Bool {
  /// Whether a condition in SQL is true: `.where(.sql("age % 5 = \(x)"))`.
  ///
  /// ```swift
  /// let jubilees = try await magic.query(Person.self)
  ///   .where(\.$age > 0 && .sql("age % \(5) = 0"))
  ///   .all()
  /// ```
  ///
  /// The condition reads the columns of the query's row, or of the member inside a closure on
  /// members. `\(column:)` and plain names of columns are qualified, also in a query that joins
  /// other tables. In a condition with a subquery, only `\(column:)` is qualified. The condition can
  /// name no other tables of types. NULL is false.
  ///
  /// An error in the SQL is thrown when the query runs: `.invalidQuery`.
  public static func sql(_ sql: MagicSQL) -> Self {
    do {
      if let mistake = sql.statement.mistake { throw mistake }
      let schema = try ObjectSchema.of(Model.self)
      let fragment = SQLFragment(sql.statement, scope: .innermost, type: schema.ordinal)
      return Self(
        QueryExpression(
          tree: .fragment(fragment), values: try sql.statement.arguments.map(QueryValue.init)))
    } catch {
      return Self(QueryExpression(error))
    }
  }
}

extension QueryValue {
  fileprivate init(_ argument: RawArgument) throws {
    switch argument {
    case .null: self = .null
    case .value(let value): self = try QueryValue(value)
    case .object(let object): self = .object(object)
    }
  }
}
