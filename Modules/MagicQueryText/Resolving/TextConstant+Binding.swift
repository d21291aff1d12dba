import Foundation
import MagicEngine
import MagicQuery
import MagicSchema
import Magical

/// Constants as stored values of a type.
extension TextConstant {
  /// Returns the stored form of the constant as a value of a type; nil if it is no value of the type.
  func bound(to type: any Magical.Type) -> QueryValue? {
    switch self {
    case .null: nil
    case .bool(let bool): type is Bool.Type ? .integer(bool ? 1 : 0) : nil
    case .number(let digits): Self.bound(number: digits, to: type)
    case .text(let text): Self.bound(text: text, to: type)
    case .argument(let value): Self.bound(argument: value, to: type)
    case .stored(let value): Self.bound(stored: value, to: type)
    }
  }

  /// The type of a constant that is compared with another constant; nil if it has none.
  var naturalType: (any Magical.Type)? {
    switch self {
    case .null: nil
    case .bool: Bool.self
    case .number(let digits): Int64(digits) == nil ? Double.self : Int.self
    case .text: String.self
    case .argument(let value):
      value is any MagicObject ? nil : (value as? any Magical).map { Swift.type(of: $0) }
    case .stored(let value):
      switch value {
      case .integer: Int.self
      case .real: Double.self
      case .text: String.self
      case .blob: Data.self
      case .null, .object, .list: nil
      }
    }
  }

  private static func bound(number digits: String, to type: any Magical.Type) -> QueryValue? {
    if let type = type as? any WrittenAsNumber.Type { return written(digits, type) }
    switch type {
    case is Decimal.Type: return converted(digits, to: type)
    case is Date.Type: return nil
    case is Bool.Type: return digits == "0" || digits == "1" ? .integer(digits == "1" ? 1 : 0) : nil
    default: break
    }
    if let integer = Int64(digits) {
      if TextTypes.isInteger(type) { return .integer(integer) }
      if let value = converted(integer, to: type) { return value }
    }
    guard let real = Double(digits), real.isFinite else { return nil }
    // Numbers of all types can be compared with each other.
    return TextTypes.isInteger(type) ? .real(real) : converted(real, to: type)
  }

  private static func written(_ text: String, _ type: (some WrittenValue).Type) -> QueryValue? {
    type.init(text).flatMap { try? QueryValue($0) }
  }

  private static func bound(text: String, to type: any Magical.Type) -> QueryValue? {
    if let type = type as? any WrittenAsText.Type { return written(text, type) }
    return type is String.Type ? .text(text) : converted(text, to: type)
  }

  private static func bound(argument: Any, to type: any Magical.Type) -> QueryValue? {
    guard let value = argument as? any Magical else { return nil }
    if Swift.type(of: value) == type { return try? QueryValue(value) }
    switch value {
    case let text as String: return bound(text: text, to: type)
    case let uuid as UUID: return bound(text: uuid.uuidString, to: type)
    case let decimal as Decimal:
      return (try? decimal.storedValue).flatMap { bound(number: $0, to: type) }
    case let integer as any BinaryInteger: return bound(number: String(integer), to: type)
    case let real as any (BinaryFloatingPoint & Magical):
      guard case .real(let real)? = try? QueryValue(real), real.isFinite else { return nil }
      return bound(number: "\(real)", to: type)
    default: return nil
    }
  }

  private static func bound(stored value: QueryValue, to type: any Magical.Type) -> QueryValue? {
    switch value {
    case .integer(let integer):
      if TextTypes.isInteger(type) { return value }
      return converted(integer, to: type)
        ?? (TextTypes.isReal(type) ? converted(Double(integer), to: type) : nil)
    case .real(let real): return TextTypes.isInteger(type) ? value : converted(real, to: type)
    case .text(let text): return bound(text: text, to: type)
    case .blob(let bytes): return converted(Data(bytes), to: type)
    case .null, .object, .list: return nil
    }
  }

  /// Decodes a stored value and encodes it again, so that only values of the type are accepted.
  private static func converted<Value: Magical>(
    _ stored: some MagicalPrimitive, to type: Value.Type
  ) -> QueryValue? {
    guard !(type is any MagicObject.Type), let stored = stored as? Value.StoredValue,
      let value = try? Value(storedValue: stored)
    else { return nil }
    return try? QueryValue(value)
  }
}
