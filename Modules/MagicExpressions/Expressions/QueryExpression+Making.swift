import MagicEngine
package import MagicSchema
package import Magical

extension QueryExpression {
  /// Creates an expression for the property that a key path refers to.
  package init<Model: MagicObject, Value>(
    _ path: MagicPath<Model, Value>, scope: RowScopeID = .innermost
  ) {
    do {
      let schema = try ObjectSchema.of(Model.self)
      guard let field = schema.evaluate(on: Model.self, { $0[keyPath: path] }) else {
        throw MagicError(
          .invalidSchema, "The type has no template object, so its key paths cannot be resolved.",
          type: schema.typeName)
      }
      let (toOnes, property) = try schema.path(to: field)
      self.init(
        tree: .column(
          ColumnPath(toOnes: toOnes, scope: scope, type: schema.ordinal, property: property)))
    } catch {
      self.init(error)
    }
  }

  /// Creates an expression for a value, which is bound when the query runs.
  package init(value: some Magical) {
    do {
      self.init(try QueryValue(value))
    } catch {
      self.init(error)
    }
  }

  package init(value: (some Magical)?) {
    if let value { self.init(value: value) } else { self.init(QueryValue.null) }
  }

  /// Creates an expression for a value whose type at run time is `Magical`, or for nil. The static
  /// type of the value need not be `Magical`.
  package init(anyValue value: Any) {
    if let value = value as? any Magical {
      self.init(value: value)
    } else {
      self.init(QueryValue.null)
    }
  }
}
