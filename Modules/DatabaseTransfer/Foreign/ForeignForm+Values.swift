import Foundation
import Magical

/// A value of a foreign database that is not NULL.
package enum ForeignValue {
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension ForeignForm {
  /// Returns a value converted exactly. Assets and external values are converted elsewhere.
  package func value(of value: ForeignValue) throws -> TransferredValue {
    switch self {
    case .integer(let range):
      let integer = try Self.integer(value)
      guard range.contains(integer) else {
        throw ValueFault(reason: "it is outside the range of the type")
      }
      return .integer(integer)
    case .bool:
      let integer = try Self.integer(value)
      guard (0...1).contains(integer) else { throw ValueFault(reason: "it is neither 0 nor 1") }
      return .boolean(integer == 1)
    case .real, .date: return .real(try Self.real(value))
    case .float:
      let real = try Self.real(value)
      guard Double(Float(real)) == real else {
        throw ValueFault(reason: "the type cannot represent the number")
      }
      return .real(real)
    case .decimal: return .text(Array(try Self.decimal(value).utf8))
    case .text: return .text(try Self.text(value))
    case .url:
      let text = try Self.text(value)
      guard URL(string: String(decoding: text, as: UTF8.self)) != nil else {
        throw ValueFault(reason: "it is not a URL")
      }
      return .text(text)
    case .uuid: return .uuid(try Self.uuid(value))
    case .uuidBytes: return .blob(try Self.uuid(value))
    case .data, .asset:
      guard case .blob(let blob) = value else { throw ValueFault(reason: "it is not a blob") }
      return .blob(blob)
    }
  }

  private static func integer(_ value: ForeignValue) throws -> Int64 {
    switch value {
    case .integer(let integer): return integer
    case .real(let real):
      if let integer = Int64(exactly: real) { return integer }
    default: break
    }
    throw ValueFault(reason: "it is not an integer")
  }

  /// Columns of Core Data store whole numbers as integers.
  private static func real(_ value: ForeignValue) throws -> Double {
    switch value {
    case .real(let real): return real
    case .integer(let integer):
      if let real = Double(exactly: integer) { return real }
      throw ValueFault(reason: "the type cannot represent the number")
    default: throw ValueFault(reason: "it is not a number")
    }
  }

  private static func decimal(_ value: ForeignValue) throws -> String {
    let text: String
    switch value {
    case .integer(let integer): text = String(integer)
    // The shortest text of the number, which is what was stored if it had at most 15 digits.
    case .real(let real): text = "\(real)"
    case .text(let bytes): text = String(decoding: bytes, as: UTF8.self)
    case .blob: throw ValueFault(reason: "it is not a number")
    }
    guard let decimal = try? Decimal(storedValue: text), let stored = try? decimal.storedValue
    else {
      throw ValueFault(reason: "it is not a decimal number")
    }
    return stored
  }

  private static func text(_ value: ForeignValue) throws -> [UInt8] {
    guard case .text(let bytes) = value else { throw ValueFault(reason: "it is not a text") }
    guard bytes.withUnsafeBytes({ UTF8Validation.isValid($0) }) else {
      throw ValueFault(reason: "it is not valid UTF-8")
    }
    return bytes
  }

  private static func uuid(_ value: ForeignValue) throws -> [UInt8] {
    switch value {
    case .blob(let bytes) where bytes.count == 16: return bytes
    case .text(let text):
      if case .uuid(let bytes)? = text.withUnsafeBytes({ TransferredValue(uuidText: $0) }) {
        return bytes
      }
    default: break
    }
    throw ValueFault(reason: "it is not a UUID")
  }
}
