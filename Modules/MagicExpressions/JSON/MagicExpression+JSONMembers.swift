import MagicEngine
public import Magical
import MagicSchema
package import MagicRuntime

/// Members of values that are stored as JSON, by their coding keys.
///
/// ```swift
/// let engineers = try await magic.query(Worker.self)
///   .where { $0.$job[json: "title", as: String.self] == "Engineer" }
///   .order(.descending) { $0.$job[json: "salary", as: Int.self] }
///   .all()
/// ```
///
/// A member that is missing, null, or of another type is nil. The database reads the JSON of each
/// row: no index is used.
extension MagicExpression {
  /// The member of a `MagicalCodable` value with a coding key.
  ///
  /// Numbers, texts, `Bool`, `Date`, `UUID`, `URL`, enumerations of these, and values that are stored as
  /// JSON themselves can be read. The query throws `.invalidQuery` for other types.
  public subscript<Member: Magical & Codable>(
    json key: String, as type: Member.Type
  ) -> MagicExpression<Model, Member?> where Value: MagicalCodable {
    member(key, of: Value.self)
  }

  /// The value of a dictionary for a key.
  public subscript<Member: Magical & Codable>(
    key: String
  ) -> MagicExpression<Model, Member?> where Value == [String: Member] {
    member(key, of: Value.self)
  }

  /// The value of an optional dictionary for a key; nil for nil.
  public subscript<Member: Magical & Codable>(
    key: String
  ) -> MagicExpression<Model, Member?> where Value == [String: Member]? {
    member(key, of: [String: Member].self)
  }

  fileprivate func member<Container: Magical, Member: Magical>(
    _ key: String, of container: Container.Type
  ) -> MagicExpression<Model, Member?> {
    guard ValueForm(container) == .json, let kind = ValueForm(Member.self).jsonKind(Member.self)
    else {
      return MagicExpression<Model, Member?>(Self.otherJSON)
    }
    return MagicExpression<Model, Member?>(
      .function(.jsonMember(kind), untyped, QueryExpression(value: key)))
  }
}

/// An optional type, for constraints.
public protocol _MagicOptional {
  associatedtype Wrapped
}

extension Optional: _MagicOptional {}

extension MagicExpression where Value: _MagicOptional, Value.Wrapped: MagicalCodable {
  /// The member of an optional `MagicalCodable` value with a coding key; nil for nil.
  public subscript<Member: Magical & Codable>(
    json key: String, as type: Member.Type
  ) -> MagicExpression<Model, Member?> {
    member(key, of: Value.Wrapped.self)
  }
}

extension ValueForm {
  /// The kind of JSON whose value is the column value of a type; nil if there is none.
  package func jsonKind<Value: Magical>(_ type: Value.Type) -> JSONKind? {
    switch self {
    case .uuid, .url: .text
    case .date: .real
    case .text, .integer, .real: Value.isJSONOfItself ? Value.kindOfColumn : nil
    case .enumeration: Value.kindOfColumn
    case .bool: .bool
    case .json: .container
    case .decimal, .duration, .data, .uuidBytes, .asset, .vector: nil
    }
  }
}

extension Magical {
  /// The kind of JSON of the column value; nil for bytes.
  fileprivate static var kindOfColumn: JSONKind? {
    switch StoredValue.storageClass {
    case .text: .text
    case .integer: .integer
    case .real: .real
    case .blob: nil
    }
  }

  /// Whether the JSON of a value is its column value: a text, a whole number, a `Double`, or a raw
  /// value. Other types may write anything, for example amounts of money as decimal numbers.
  fileprivate static var isJSONOfItself: Bool {
    func isPlain(_ type: Any.Type) -> Bool {
      type == String.self || type == Double.self || type is any FixedWidthInteger.Type
    }
    func rawType<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type { Value.RawValue.self }
    if let type = Self.self as? any RawRepresentable.Type { return isPlain(rawType(type)) }
    return isPlain(Self.self)
  }
}
