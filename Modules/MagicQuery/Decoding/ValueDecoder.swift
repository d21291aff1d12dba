import Foundation
import MagicEngine
import MagicSchema
import Magical

/// A decoder of values of one type. A query creates one decoder and uses it for all of its rows.
struct ValueDecoder<Value>: Sendable {
  /// Decodes the value in a column of a row. Other closures capture only this one: a copy of the
  /// decoder would retain all of its parts for each row.
  let value: @Sendable (SelectedRows, _ row: Int, _ column: Int) throws -> Value
  /// Decodes the value into uninitialized memory.
  let initialize:
    @Sendable (UnsafeMutableRawPointer, SelectedRows, _ row: Int, _ column: Int) throws -> Void
  /// The objects whose row IDs the column contains; nil if it contains values.
  let objects: ObjectColumn?

  private init(
    objects: ObjectColumn? = nil,
    _ value: @escaping @Sendable (SelectedRows, Int, Int) throws -> Value
  ) {
    self.value = value
    self.objects = objects
    initialize = { memory, rows, row, column in
      memory.initializeMemory(as: Value.self, to: try value(rows, row, column))
    }
  }

  /// Returns nil if a column cannot hold values of the type.
  init?(_ type: Value.Type) {
    guard let decoder = Self.decoder(type) else { return nil }
    self = decoder
  }

  fileprivate static func decoder(_ type: Value.Type) -> ValueDecoder? {
    let made: Any?
    switch type {
    // The compiler makes a function for each of these types.
    case is String.Type: made = ValueDecoder<String>.reading()
    case is Int.Type: made = ValueDecoder<Int>.reading()
    case is Double.Type: made = ValueDecoder<Double>.reading()
    case is Bool.Type: made = ValueDecoder<Bool>.reading()
    case is Date.Type: made = ValueDecoder<Date>.reading()
    case is UUID.Type: made = ValueDecoder<UUID>.reading()
    case is Int64.Type: made = ValueDecoder<Int64>.reading()
    case is Data.Type: made = ValueDecoder<Data>.reading()
    case let object as any MagicObject.Type: made = Self.makeDecoder(ofObjects: object)
    case is any MagicalRelation.Type, is any LazyValue.Type: made = nil
    case let optional as any OptionalType.Type: made = optional.makeDecoder()
    case let magical as any Magical.Type: made = Self.makeDecoder(magical)
    default: made = nil
    }
    return made as? ValueDecoder
  }

  private static func makeDecoder<Type: Magical>(_ type: Type.Type) -> Any {
    ValueDecoder<Type>.reading()
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

extension ValueDecoder where Value: Magical {
  private init() {
    objects = nil
    value = { try Value.read(from: $0.field($1, $2)) }
    initialize = { memory, rows, row, column in
      memory.initializeMemory(as: Value.self, to: try Value.read(from: rows.field(row, column)))
    }
  }

  fileprivate static func reading() -> ValueDecoder { ValueDecoder() }
}

private protocol OptionalType {
  static func makeDecoder() -> Any?
}

extension Optional: OptionalType {
  fileprivate static func makeDecoder() -> Any? {
    ValueDecoder<Wrapped>.decoder(Wrapped.self).map { ValueDecoder<Wrapped>.optional($0) }
  }
}
