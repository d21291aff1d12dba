import Foundation
import MagicData
import MagicInspection

/// A value of a property of which only the description in the file is known, as it is stored.
struct DescribedValue {
  let column: InspectedColumn
  /// The text of the stored value, if there is one.
  var stored: FieldText = .null

  /// Returns what is stored for a value of a field.
  ///
  /// - Throws: ``FieldProblem`` if the Swift type that the file names does not have the value.
  func storedValue(_ value: JSONNode) throws -> MagicSQLValue {
    switch (column.form, value) {
    case (_, .null): return .null
    case (.uuid, .string(let text)): return .text(try uuid(text).uuidString)
    case (.uuidBytes, .string(let text)):
      return .blob(withUnsafeBytes(of: try uuid(text).uuid) { Data($0) })
    case (.url, .string(let text)):
      guard URL(string: text) != nil else { throw FieldProblem(message: "This is no URL.") }
      return .text(text)
    case (_, .string(let text)):
      guard column.swiftType != "Character" || text.count == 1 else {
        throw FieldProblem(message: "This is not one character.")
      }
      return .text(text)
    case (_, .integer(let number)):
      guard Self.range(of: column.swiftType).contains(number) else {
        throw FieldProblem(
          message: "This is no value of the type \(InspectedText.line(column.typeText)).")
      }
      return .integer(number)
    case (_, .real(let number)):
      guard column.swiftType == "Float" else { return .real(number) }
      guard number.isInfinite || Float(number).isFinite else {
        throw FieldProblem(message: "This is no value of the type Float.")
      }
      return .real(Double(Float(number)))
    case (_, .bool(let value)): return .integer(value ? 1 : 0)
    case (.json, .document(let text)):
      try checkDocument(text)
      return .blob(Data(text.utf8))
    case (_, .document(let text)): return .text(text)
    default: throw FieldProblem(message: "It cannot be edited.")
    }
  }

  private func uuid(_ text: String) throws -> UUID {
    guard let uuid = UUID(uuidString: text) else { throw FieldProblem(message: "This is no UUID.") }
    return uuid
  }

  private static func range(of type: String?) -> ClosedRange<Int64> {
    func all<Number: FixedWidthInteger>(_ type: Number.Type) -> ClosedRange<Int64> {
      Int64(clamping: Number.min)...Int64(clamping: Number.max)
    }
    return switch type {
    case "Int8": all(Int8.self)
    case "Int16": all(Int16.self)
    case "Int32": all(Int32.self)
    case "UInt8": all(UInt8.self)
    case "UInt16": all(UInt16.self)
    case "UInt32": all(UInt32.self)
    case "UInt", "UInt64": all(UInt64.self)
    default: all(Int64.self)
    }
  }

  // MARK: JSON

  /// Checks a document: collections of values are decoded, and the document of another type has to be
  /// of the kind of the stored one.
  private func checkDocument(_ text: String) throws {
    if let name = column.swiftType, let type = Self.decodable(name[...], depth: 8) {
      guard (try? JSONDecoder().decode(type, from: Data(text.utf8))) != nil else {
        throw FieldProblem(message: "This is no value of the type \(InspectedText.line(name)).")
      }
    } else if let before = stored.text, Self.kind(before) != Self.kind(text) {
      throw FieldProblem(
        message: "The stored document is \(Self.kind(before)), and this is \(Self.kind(text)).")
    }
  }

  private static func kind(_ document: String) -> String {
    switch document.first(where: { !$0.isWhitespace }) {
    case "{": "an object"
    case "[": "an array"
    case "\"": "a text"
    case "t", "f": "a boolean"
    case "n": "null"
    default: "a number"
    }
  }

  private static let values: [Substring: any (Decodable & Hashable & SendableMetatype).Type] = [
    "String": String.self, "Bool": Bool.self, "Int": Int.self, "Int8": Int8.self,
    "Int16": Int16.self, "Int32": Int32.self, "Int64": Int64.self, "UInt": UInt.self,
    "UInt8": UInt8.self, "UInt16": UInt16.self, "UInt32": UInt32.self, "UInt64": UInt64.self,
    "Double": Double.self, "Float": Float.self, "Decimal": Decimal.self, "Date": Date.self,
    "URL": URL.self, "UUID": UUID.self, "Data": Data.self,
  ]

  /// Returns the type with a name such as `Array<String>`; nil for one that this program does not have.
  private static func decodable(_ name: Substring, depth: Int) -> (any Decodable.Type)? {
    if let value = values[name] { return value }
    guard depth > 0, name.hasSuffix(">"), let start = name.firstIndex(of: "<") else { return nil }
    let inner = name[name.index(after: start)...].dropLast()
    func element(_ name: Substring) -> (any Decodable.Type)? { decodable(name, depth: depth - 1) }
    switch name[..<start] {
    case "Array": return element(inner).map { array($0) }
    case "Set": return values[inner].map { set($0) }
    case "Optional": return element(inner).map { optional($0) }
    case "Dictionary" where inner.hasPrefix("String, "):
      return element(inner.dropFirst("String, ".count)).map { dictionary($0) }
    default: return nil
    }
  }

  private static func array<T: Decodable>(_: T.Type) -> any Decodable.Type { [T].self }
  private static func optional<T: Decodable>(_: T.Type) -> any Decodable.Type { T?.self }
  private static func dictionary<T: Decodable>(_: T.Type) -> any Decodable.Type {
    [String: T].self
  }
  private static func set<T: Decodable & Hashable>(_: T.Type) -> any Decodable.Type {
    Set<T>.self
  }
}

extension MagicSQLValue {
  /// The value as a part of a statement, bound.
  var sql: MagicSQL {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\(text)"
    case .blob(let data): "\(data)"
    }
  }
}
