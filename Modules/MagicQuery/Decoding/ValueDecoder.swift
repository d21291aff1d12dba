import MagicEngine
import MagicSchema
import Magical

/// A decoder of values of one type. A query creates one decoder and uses it for all of its rows.
struct ValueDecoder<Value>: Sendable {
  private let read: @Sendable (FieldReader) throws -> Value

  static var width: Int { 1 }

  private init(_ read: @escaping @Sendable (FieldReader) throws -> Value) { self.read = read }

  /// - Parameters:
  ///   - expression: the selected expression, which the error names.
  ///   - model: the type of the query's rows.
  /// - Throws: `MagicError` with `.invalidQuery` if a column cannot hold values of the type.
  init(
    _ type: Value.Type, of expression: QueryExpression, _ model: any MagicObject.Type
  ) throws {
    guard let decoder = Self.decoder(type) else {
      throw SelectedProperty(expression, of: model).refusal(type)
    }
    self = decoder
  }

  /// Returns nil if a column cannot hold values of the type.
  fileprivate static func decoder(_ type: Value.Type) -> ValueDecoder? {
    let made: Any?
    switch type {
    case is any MagicalRelation.Type, is any LazyValue.Type: made = nil
    case let optional as any OptionalType.Type: made = optional.makeDecoder()
    case let magical as any Magical.Type: made = Self.makeDecoder(magical)
    default: made = nil
    }
    return made as? ValueDecoder
  }

  func value(_ field: FieldReader) throws -> Value {
    do {
      return try read(field)
    } catch let error as MagicalError {
      throw MagicError(
        .cannotDecode, "A selected value cannot be decoded: \(error).", cause: error)
    }
  }

  private static func makeDecoder<Type: Magical>(_ type: Type.Type) -> Any {
    ValueDecoder<Type> { try Type.read(from: $0) }
  }

  fileprivate static func optional(_ decoder: ValueDecoder<Value>) -> ValueDecoder<Value?> {
    ValueDecoder<Value?> { $0.isNull ? nil : try decoder.read($0) }
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
