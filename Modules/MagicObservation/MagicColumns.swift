import MagicEngine
public import MagicQuery
public import MagicSchema
import MagicStore

/// Properties of a type whose stored values have changed.
///
/// A collection of objects has changed where members came, went, or have another place; that a
/// member itself has changed is a change of the member's type.
public struct MagicColumns<Model: MagicObject>: Sendable {
  /// By their places among the type's columns and, behind them, its collections.
  private var places: ColumnSet
  private let schema: ObjectSchema

  init(_ places: ColumnSet, of schema: ObjectSchema) {
    self.places = places
    self.schema = schema
  }

  /// Whether a property has changed. False for a key path that refers to another type's.
  public func contains<Value>(_ path: MagicPath<Model, Value>) -> Bool {
    schema.place(of: path).map(places.contains) ?? false
  }

  /// The names of the properties, in the order in which the type declares its columns, then its
  /// collections.
  public var names: [String] {
    let properties: [PropertySchema] = schema.columns + schema.collections
    return places.indices.map { properties[$0].property }
  }

  /// How many there are.
  public var count: Int { places.indices.count }

  /// Whether there is none.
  public var isEmpty: Bool { places.isEmpty }
}

extension MagicColumns: Hashable {
  /// Whether both are the same properties.
  public static func == (left: Self, right: Self) -> Bool { left.places == right.places }

  /// Hashes the properties.
  public func hash(into hasher: inout Hasher) { hasher.combine(places) }
}

extension MagicColumns: CustomStringConvertible {
  /// The names, separated by commas.
  public var description: String { names.joined(separator: ", ") }
}

extension ObjectSchema {
  /// The place of a property among the type's columns and, behind them, its collections; nil where a
  /// key path refers to none of the type's own.
  func place<Model: MagicObject, Value>(of path: KeyPath<Model, MagicField<Value>>) -> Int? {
    guard let property = try? property(at: path) else { return nil }
    return columns.firstIndex { $0 === property }
      ?? collections.firstIndex { $0 === property }.map { columns.count + $0 }
  }
}
