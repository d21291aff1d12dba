public import Magical

/// A row as it was before a step of a migration.
public struct MagicOldRow: ~Copyable {
  private let values: any OldRowValues

  package init(_ values: any OldRowValues) { self.values = values }

  /// The row's z-index, which it keeps.
  public var zIndex: ZIndex { values.zIndex }

  /// The value stored under a name; nil for none. A to-one is the z-index it refers to, an `Int64`;
  /// collections are not in the row.
  ///
  /// - Throws: ``MagicError``: ``MagicError/Code/invalidQuery`` where the table has no such column,
  ///   ``MagicError/Code/cannotDecode`` where the value is none of the type.
  public func value<Value: Magical>(_ name: String, as type: Value.Type = Value.self) throws
    -> Value?
  {
    try values.value(name, as: type)
  }
}

/// A row that a statement is at.
package protocol OldRowValues: AnyObject {
  var zIndex: ZIndex { get }
  func value<Value: Magical>(_ name: String, as type: Value.Type) throws -> Value?
}
