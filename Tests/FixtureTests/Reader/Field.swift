import Foundation
import MagicAssets
import MagicStore

/// What the reader must print for a property, computed from the value in Swift.
struct Field {
  struct Value {
    let form: String
    let json: JSON
  }

  let property: String
  let column: String
  /// In a file that describes its properties.
  let described: Value
  /// In a file that does not; nil for an inverse relationship, which only the description has.
  let stored: Value?

  private init(
    _ property: String, _ column: String?, _ form: String, _ json: JSON,
    stored: (form: String, json: JSON)?
  ) {
    self.property = property
    self.column = column ?? property
    described = Value(form: form, json: json)
    self.stored = stored.map { Value(form: $0.form, json: $0.json) }
  }

  static func text(
    _ property: String, named column: String? = nil, _ value: String?, form: String = "text"
  ) -> Field {
    Field(property, column, form, .exact(value), stored: ("text", .exact(value)))
  }

  static func integer(
    _ property: String, _ value: (some BinaryInteger)?, form: String = "integer"
  ) -> Field {
    let json = value.map { JSON.integer(Int64($0)) } ?? .null
    return Field(property, nil, form, json, stored: ("integer", json))
  }

  static func bool(_ property: String, _ value: Bool?) -> Field {
    let stored = value.map { JSON.integer($0 ? 1 : 0) } ?? .null
    return Field(
      property, nil, "bool", value.map { .bool($0) } ?? .null, stored: ("integer", stored))
  }

  static func real(_ property: String, _ value: Double?, form: String = "real") -> Field {
    let json = value.map { JSON.real($0) } ?? .null
    return Field(property, nil, form, json, stored: ("real", json))
  }

  /// - Parameter value: a date with a whole number of milliseconds.
  static func date(_ property: String, _ value: Date?) -> Field {
    let seconds = value.map { JSON.real($0.timeIntervalSinceReferenceDate) } ?? .null
    return Field(property, nil, "date", value.map(iso) ?? .null, stored: ("real", seconds))
  }

  static func data(_ property: String, named column: String? = nil, _ value: Data?) -> Field {
    let json = JSON.exact(value?.base64EncodedString())
    return Field(property, column, "data", json, stored: ("data", json))
  }

  static func json(_ property: String, _ value: (some Encodable)?) throws -> Field {
    let data = try value.map { try encode($0) }
    let json = try data.map { try JSONDecoder().decode(JSON.self, from: $0) } ?? .null
    return Field(
      property, nil, "json", json, stored: ("data", .exact(data?.base64EncodedString())))
  }

  static func asset<Content>(
    _ property: String, named column: String? = nil, _ value: MagicAsset<Content>?
  ) throws -> Field {
    let json = try value.map { asset throws in
      guard let path = asset.path else { return JSON.object(["name": .exact(""), "size": .null]) }
      let name = path.pathComponents.suffix(2).joined(separator: "/")
      let size = try Data(contentsOf: path).count
      return .object(["name": .exact(name), "size": .integer(Int64(size))])
    }
    return Field(property, column, "asset", json ?? .null, stored: ("asset", json ?? .null))
  }

  /// The text of a date with a whole number of milliseconds.
  static func iso(_ date: Date) -> JSON {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions.insert(.withFractionalSeconds)
    return .exact(formatter.string(from: date).replacingOccurrences(of: "Z", with: "000Z"))
  }

  private static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }
}

extension Field {
  static func one(
    _ property: String, named column: String? = nil, _ target: (some MagicObject)?
  ) -> Field {
    let json = target.map(reference) ?? .null
    return Field(property, column, "one", json, stored: ("one", json))
  }

  static func list(
    _ property: String, named column: String? = nil, _ members: [some MagicObject]
  ) -> Field {
    let json = JSON.array(members.map(reference))
    return Field(property, column, "list", json, stored: ("list", json))
  }

  static func set(_ property: String, _ members: some Sequence<some MagicObject>) -> Field {
    let json = JSON.array(sorted(members).map(reference))
    return Field(property, nil, "set", json, stored: ("set", json))
  }

  static func inverse(_ property: String, _ owners: some Sequence<some MagicObject>) -> Field {
    Field(property, nil, "inverse", .array(sorted(owners).map(reference)), stored: nil)
  }

  static func dictionary(
    _ property: String, _ members: [String: some MagicObject]
  ) -> Field {
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let json = entries(sorted.map { (.exact($0.key), $0.value) })
    return Field(property, nil, "dictionary", json, stored: ("dictionary", json))
  }

  static func dictionary(
    _ property: String, named column: String, _ members: [Int: some MagicObject]
  ) -> Field {
    let sorted = members.sorted { $0.key < $1.key }
    let json = entries(sorted.map { (.integer(Int64($0.key)), $0.value) })
    return Field(property, column, "dictionary", json, stored: ("dictionary", json))
  }

  /// A dictionary whose keys are stored as JSON.
  static func dictionary(
    _ property: String, keysAsJSON members: [some Hashable & Encodable: some MagicObject]
  ) throws -> Field {
    let sorted = try members.map { (try encode($0.key), $0.value) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    let json = try entries(
      sorted.map { (try JSONDecoder().decode(JSON.self, from: $0.0), $0.1) })
    let stored = entries(sorted.map { (.exact($0.0.base64EncodedString()), $0.1) })
    return Field(property, nil, "dictionary", json, stored: ("dictionary", stored))
  }

  /// A dictionary with one member or none.
  static func dictionary(
    _ property: String, key: JSON, _ member: (some MagicObject)?
  ) -> Field {
    let json = entries(member.map { [(key, $0)] } ?? [])
    return Field(property, nil, "dictionary", json, stored: nil)
  }

  private static func entries(_ members: [(JSON, some MagicObject)]) -> JSON {
    .array(
      members.map { key, member in
        guard case .object(var entry) = reference(member) else { return .null }
        entry["key"] = key
        return .object(entry)
      })
  }

  private static func reference<Object: MagicObject>(_ object: Object) -> JSON {
    .object(["table": .exact(Object.tableName), "row": .integer(object.zIndex?.rawValue ?? 0)])
  }

  private static func sorted<Object: MagicObject>(_ objects: some Sequence<Object>) -> [Object] {
    objects.sorted { ($0.zIndex?.rawValue ?? 0) < ($1.zIndex?.rawValue ?? 0) }
  }
}
