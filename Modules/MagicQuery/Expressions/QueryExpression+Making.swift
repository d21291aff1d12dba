import MagicEngine
import MagicSchema
import Magical

extension QueryExpression {
  /// The property that a key path refers to.
  init<Model: MagicObject, Value>(
    _ path: MagicPath<Model, Value>, scope: RowScopeID = .innermost
  ) {
    do {
      let schema = try ObjectSchema.of(Model.self)
      guard let field = schema.evaluate(on: Model.self, { $0[keyPath: path] }) else {
        throw MagicError(.invalidSchema, "The type has no template.", type: schema.typeName)
      }
      let (toOnes, property) = try schema.path(to: field)
      self.init(
        tree: .column(
          ColumnPath(toOnes: toOnes, scope: scope, type: schema.ordinal, property: property)))
    } catch {
      self.init(error)
    }
  }

  /// A value that a query is given.
  init(value: some Magical) {
    do {
      self.init(try QueryValue(value))
    } catch {
      self.init(error)
    }
  }

  init(value: (some Magical)?) {
    if let value { self.init(value: value) } else { self.init(QueryValue.null) }
  }

  /// A value whose type is known to be magical, or optional, at run time alone.
  init(anyValue value: Any) {
    if let value = value as? any Magical {
      self.init(value: value)
    } else {
      self.init(QueryValue.null)
    }
  }
}
