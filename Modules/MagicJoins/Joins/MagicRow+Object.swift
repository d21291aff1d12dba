import MagicEngine
public import MagicQuery
import MagicSchema

extension MagicRow {
  /// The object of the row, for selections of objects with computed values.
  ///
  /// ```swift
  /// let ranked = try await magic.query(Person.self)
  ///   .select { ($0.object, $0.rank(over: .order(by: $0.$age, .descending))) }
  ///   .all()  // [(Person, Int)]
  /// ```
  ///
  /// The objects are loaded with all objects that they refer to, after the rows are read, in the same
  /// snapshot. The number of statements does not depend on the number of rows.
  public var object: MagicExpression<Model, Model> {
    MagicExpression<Model, Model>(zIndex, as: Model.self)
  }
}
