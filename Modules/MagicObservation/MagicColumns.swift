import MagicEngine
public import MagicQuery
public import MagicSchema
import MagicStore

/// The properties of a type whose stored values have changed.
///
/// A collection of objects has changed if members were added, removed or moved. A change to the
/// properties of a member is reported for the member's type.
public struct MagicColumns<Model: MagicObject>: Sendable {
  /// The indices of the properties among the type's columns, followed by its collections.
  private var columns: ColumnSet
  private let schema: ObjectSchema

  init(_ columns: ColumnSet, of schema: ObjectSchema) {
    self.columns = columns
    self.schema = schema
  }

  /// Returns whether a property has changed. False for a property of another type.
  public func contains<Value>(_ path: MagicPath<Model, Value>) -> Bool {
    schema.columnIndex(of: path).map(columns.contains) ?? false
  }

  /// The names of the properties, in the order in which the type declares its columns, then its
  /// collections.
  public var names: [String] {
    let properties: [PropertySchema] = schema.columns + schema.collections
    return columns.indices.map { properties[$0].property }
  }

  /// The number of properties.
  public var count: Int { columns.indices.count }

  /// Whether no property has changed.
  public var isEmpty: Bool { columns.isEmpty }
}

extension MagicColumns: Hashable {
  /// Returns whether both contain the same properties.
  public static func == (left: Self, right: Self) -> Bool { left.columns == right.columns }

  /// Hashes the properties.
  public func hash(into hasher: inout Hasher) { hasher.combine(columns) }
}

extension MagicColumns: CustomStringConvertible {
  /// The names, separated by commas.
  public var description: String { names.joined(separator: ", ") }
}

extension ObjectSchema {
  /// Returns the index of a property among the type's columns, followed by its collections; nil if
  /// the key path does not refer to a property of the type itself.
  func columnIndex<Model: MagicObject, Value>(of path: KeyPath<Model, MagicField<Value>>) -> Int? {
    guard let property = try? property(at: path) else { return nil }
    return columns.firstIndex { $0 === property }
      ?? collections.firstIndex { $0 === property }.map { columns.count + $0 }
  }
}
