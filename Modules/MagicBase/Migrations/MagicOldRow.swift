public import Magical

/// A row as it was before a migration step.
///
/// ```swift
/// .transformRows { old, new in
///   let first: String = try old.value("firstName") ?? ""
///   let last: String = try old.value("lastName") ?? ""
///   try new.set("name", to: "\(first) \(last)")
/// }
/// ```
public struct MagicOldRow: ~Copyable {
  private let values: any OldRowValues

  package init(_ values: any OldRowValues) { self.values = values }

  /// The ID of the row. A migration does not change it.
  public var zIndex: ZIndex { values.zIndex }

  /// The value of a column; nil for NULL. The value of a to-one is the row ID of the object it
  /// refers to, an `Int64`. A collection has no column.
  ///
  /// - Throws: ``MagicError``: ``MagicError/Code/invalidQuery`` if the table has no such column,
  ///   ``MagicError/Code/cannotDecode`` if the value is not valid for the type.
  public func value<Value: Magical>(_ name: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    try values.value(name, as: type)
  }
}

/// The values of the current row of a statement.
package protocol OldRowValues: AnyObject {
  var zIndex: ZIndex { get }
  func value<Value: Magical>(_ name: String, as type: Value.Type) throws -> Value?
}
