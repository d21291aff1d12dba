import MagicEngine
import MagicSchema
import Magical

/// A decoder of values of one type. A query creates one decoder and uses it for all of its rows.
struct ValueDecoder<Value>: Sendable {
  /// Decodes the value in a column of a row. Other closures capture only this one: a copy of the
  /// decoder would retain all of its parts for each row.
  let value: @Sendable (SelectedRows, _ row: Int, _ column: Int) throws -> Value
  /// The objects whose row IDs the column contains; nil if it contains values.
  let objects: ObjectColumn?

  private init(
    objects: ObjectColumn? = nil,
    _ value: @escaping @Sendable (SelectedRows, Int, Int) throws -> Value
  ) {
    self.value = value
    self.objects = objects
  }

  /// - Parameters:
  ///   - expression: the selected expression, which errors name.
  ///   - number: the number of the expression in a tuple, from 1; nil if there is no other.
  ///   - model: the type of the query's rows.
  /// - Throws: `MagicError` with `.invalidQuery` if a column cannot hold values of the type.
  init(
    _ type: Value.Type, of expression: QueryExpression, number: Int? = nil,
    _ model: any MagicObject.Type
  ) throws {
    let selected = SelectedProperty(expression, number: number, of: model)
    guard let decoder = Self.decoder(type) else { throw selected.refusal(type) }
    let read = decoder.value
    self.init(objects: decoder.objects) { rows, row, column in
      do {
        return try read(rows, row, column)
      } catch let error as MagicalError {
        throw selected.decodingError(error)
      }
    }
  }

  /// Returns nil if a column cannot hold values of the type.
  fileprivate static func decoder(_ type: Value.Type) -> ValueDecoder? {
    let made: Any?
    switch type {
    case let object as any MagicObject.Type: made = Self.makeDecoder(ofObjects: object)
    case is any MagicalRelation.Type, is any LazyValue.Type: made = nil
    case let optional as any OptionalType.Type: made = optional.makeDecoder()
    case let magical as any Magical.Type: made = Self.makeDecoder(magical)
    default: made = nil
    }
    return made as? ValueDecoder
  }

  private static func makeDecoder<Type: Magical>(_ type: Type.Type) -> Any {
    ValueDecoder<Type> { try Type.read(from: $0.field($1, $2)) }
  }

  private static func makeDecoder<Object: MagicObject>(ofObjects type: Object.Type) -> Any {
    ValueDecoder<Object>(objects: ObjectColumn(type)) { try $0.object(Object.self, $1, $2) }
  }

  fileprivate static func optional(_ decoder: ValueDecoder<Value>) -> ValueDecoder<Value?> {
    let value = decoder.value
    return ValueDecoder<Value?>(objects: decoder.objects) {
      $0.field($1, $2).isNull ? nil : try value($0, $1, $2)
    }
  }
}

private protocol OptionalType {
  static func makeDecoder() -> Any?
}

extension Optional: OptionalType {
  fileprivate static func makeDecoder() -> Any? {
    ValueDecoder<Wrapped>.decoder(Wrapped.self).map { ValueDecoder<Wrapped>.optional($0) }
  }
}
