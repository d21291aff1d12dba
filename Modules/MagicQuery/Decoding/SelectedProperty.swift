import MagicEngine
import MagicSchema
import Magical

/// An expression that a query selects, for error texts.
final class SelectedProperty: Sendable {
  private let expression: QueryExpression
  private let model: any MagicObject.Type
  /// The number of the expression in a tuple, from 1; nil if there is no other.
  private let number: Int?

  /// - Parameter model: the type of the query's rows.
  init(_ expression: QueryExpression, number: Int?, of model: any MagicObject.Type) {
    (self.expression, self.number, self.model) = (expression, number, model)
  }

  private var name: String { expression.name(number: number, in: try? ObjectSchema.of(model)) }

  /// Returns a decoder of the values.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` if a column cannot hold values of the type.
  func decoder<Value>(_ type: Value.Type) throws -> ValueDecoder<Value> {
    guard let decoder = ValueDecoder(type) else { throw refusal(type) }
    return decoder
  }

  /// Returns a closure that decodes a value, and throws errors that name the expression.
  func decoding<Value>(
    _ decoder: ValueDecoder<Value>
  ) -> @Sendable (SelectedRows, _ row: Int, _ column: Int) throws -> Value {
    let value = decoder.value
    return { rows, row, column in
      do {
        return try value(rows, row, column)
      } catch let error as MagicalError {
        throw self.decodingError(error)
      }
    }
  }

  /// Returns the error for a property whose values are not values of a column.
  func refusal<Value>(_ type: Value.Type) -> MagicError {
    if let error = expression.error { return error }
    let declared = expression.selectedProperty
    return MagicError(
      .invalidQuery,
      "A query can select only values and to-one relationships, but \(name) is of type \(type). "
        + "Fetch the objects, or combine the rows with elements of JSON: each(_:).",
      type: declared?.type, property: declared?.name)
  }

  /// Returns the error for a value that has another form than its type.
  func decodingError(_ error: some Error) -> MagicError {
    let declared = expression.selectedProperty
    return MagicError(
      .cannotDecode, "A selected value cannot be decoded: \(name): \(error).",
      type: declared?.type, property: declared?.name, cause: error)
  }
}
