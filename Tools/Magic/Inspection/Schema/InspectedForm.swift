/// What the values of a property represent: a form of the file format.
public enum InspectedForm: Hashable, Sendable {
  case text, integer, real, bool, date, uuid, url, decimal, duration, data, json, asset, vector
  /// The sixteen bytes of a UUID.
  case uuidBytes
  /// The raw value of an enumeration.
  case enumeration
  /// A to-one relationship: the row ID of another row.
  case one
  case list, set, dictionary
  /// An inverse relationship, which is not stored.
  case inverse
  /// A collection through a join type.
  case through
  /// A form that this program does not know.
  case other(String)

  private static let names: [String: InspectedForm] = [
    "text": .text, "integer": .integer, "real": .real, "bool": .bool, "date": .date,
    "uuid": .uuid, "url": .url, "decimal": .decimal, "duration": .duration, "data": .data,
    "uuid-bytes": .uuidBytes, "json": .json, "enum": .enumeration, "asset": .asset,
    "vector": .vector, "one": .one, "list": .list, "set": .set, "dictionary": .dictionary,
    "inverse": .inverse, "through": .through,
  ]

  /// Creates the form with a name of the file format.
  public init(name: String) { self = Self.names[name] ?? .other(name) }

  /// The name in the file format.
  public var name: String {
    if case .other(let name) = self { return name }
    return Self.names.first { $0.value == self }?.key ?? ""
  }

  /// Whether the values are compared and aligned as numbers.
  public var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// Whether the property has members: it is not a column of the type's table.
  public var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary, .inverse, .through: true
    default: false
    }
  }
}
