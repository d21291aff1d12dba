import Foundation
package import MagicData
package import MagicInspection

/// A value of a property of which only the description in the file is known, as it is stored.
package struct DescribedValue {
  private let column: InspectedColumn
  /// The text of the stored value; nil if there is none.
  private let stored: String?

  package init(column: InspectedColumn, stored: String? = nil) {
    (self.column, self.stored) = (column, stored)
  }

  /// Returns what is stored for a value of a field.
  ///
  /// - Throws: ``FieldProblem`` if the Swift type that the file names does not have the value.
  package func storedValue(_ value: JSONNode) throws -> MagicSQLValue {
    switch (column.form, value) {
    case (_, .null): return .null
    case (.uuid, .string(let text)): return .text(try uuid(text).uuidString)
    case (.uuidBytes, .string(let text)):
      return .blob(withUnsafeBytes(of: try uuid(text).uuid) { Data($0) })
    case (.url, .string(let text)):
      guard let url = URL(string: text) else {
        throw FieldProblem(message: "The text is not a URL.")
      }
      return .text(url.absoluteString)
    case (_, .string(let text)):
      guard column.swiftType != "Character" || text.count == 1 else {
        throw FieldProblem(message: "The text is not one character.")
      }
      return .text(text)
    case (_, .integer(let number)):
      guard Self.range(of: column.swiftType).contains(number) else {
        throw FieldProblem(
          message: "The number is not a value of the type \(InspectedText.line(column.typeText)).")
      }
      return .integer(number)
    case (_, .real(let number)):
      guard column.swiftType == "Float" else { return .real(number) }
      guard number.isInfinite || Float(number).isFinite else {
        throw FieldProblem(message: "The number is not a value of the type Float.")
      }
      return .real(Double(Float(number)))
    case (_, .bool(let value)): return .integer(value ? 1 : 0)
    case (.json, .document(let text)):
      try checkDocument(text)
      return .blob(Data(text.utf8))
    case (_, .document(let text)): return .text(text)
    default: throw FieldProblem(message: "The value cannot be stored.")
    }
  }

  /// Returns what is stored for a document of an imported file: its bytes. A document of a type that only its
  /// program has can be any JSON.
  ///
  /// - Throws: ``FieldProblem`` if this program has the type, and the document is not one of its values.
  package func storedValue(ofDocument document: [UInt8]) throws -> MagicSQLValue {
    _ = try isKnown(Data(document))
    return .blob(Data(document))
  }

  private func uuid(_ text: String) throws -> UUID {
    guard let uuid = UUID(uuidString: text) else {
      throw FieldProblem(message: "The text is not a UUID.")
    }
    return uuid
  }

  /// Whether the values of a property with the form of a text or a number are those that this program
  /// knows. A type with a raw value, or with a conversion of its own, has the same forms.
  package static func hasKnownValues(_ column: InspectedColumn) -> Bool {
    guard let type = column.swiftType else { return false }
    return plainTypes.contains(type) || type.hasPrefix("MagicMoney<")
  }

  private static let plainTypes: Set<String> = [
    "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
    "UInt32", "UInt64", "ZIndex", "Double", "Float", "CGFloat",
  ]

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

  /// Returns a number with all its digits, which a floating-point number would not have, as `Decimal` is
  /// stored: equal numbers are equal texts.
  ///
  /// - Parameter isImported: whether the number may have any form that the type reads, such as one with an
  ///   exponent.
  package static func decimal(_ text: String, isImported: Bool = false) throws -> JSONNode {
    guard isImported || text.wholeMatch(of: /-?[0-9]{1,38}(\.[0-9]{1,38})?/) != nil,
      let number = try? Decimal(storedValue: text), let stored = try? number.storedValue
    else {
      throw FieldProblem(
        message: "The text is not a decimal number with at most 38 digits, such as 12.50.")
    }
    return .document(stored)
  }

  // MARK: JSON

  /// Checks a document: collections of values are decoded, and the document of another type has to be
  /// of the kind of the stored one. Without a stored one, no document of such a type is known to be
  /// valid.
  private func checkDocument(_ text: String) throws {
    if try isKnown(Data(text.utf8)) { return }
    if let before = stored {
      guard Self.kind(before) != Self.kind(text) else { return }
      throw FieldProblem(
        message: "The stored document is \(Self.kind(before)), and this is \(Self.kind(text)).")
    } else {
      throw FieldProblem(
        message: "The file does not describe this type. A program that has it sets the first value."
      )
    }
  }

  /// Decodes a document of a type that this program has.
  ///
  /// - Returns: whether it has the type.
  private func isKnown(_ document: Data) throws -> Bool {
    guard let name = column.swiftType, let type = Self.decodable(name[...], depth: 8) else {
      return false
    }
    guard (try? JSONDecoder().decode(type, from: document)) != nil else {
      throw FieldProblem(
        message: "The document is not a value of the type \(InspectedText.line(name)).")
    }
    return true
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
  package var sql: MagicSQL {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\(text)"
    case .blob(let data): "\(data)"
    }
  }
}
