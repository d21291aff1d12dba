package import MagicSchema

extension QueryDescription {
  /// Checks that a row can have the given values in the order of the query, as far as it is known. The
  /// values of a cursor may be those of an attacker.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  package func checkPosition(_ values: [QueryValue], in schema: ObjectSchema) throws {
    for (value, order) in zip(values, orders) where !order.expression.canHave(value) {
      throw MagicError(
        .invalidQuery,
        "The cursor has a value that the order of the query cannot have. Use a cursor of a page of the "
          + "query.", type: schema.typeName)
    }
  }
}
