public import Magical

/// A row as it will be after a step of a migration.
public struct MagicNewRow: ~Copyable {
  private let values: any NewRowValues

  package init(_ values: any NewRowValues) { self.values = values }

  /// Sets the value under a name, of a column that the table has or the type will have. A to-one is
  /// set to the z-index it refers to, an `Int64`.
  ///
  /// - Parameter value: the value; nil for none.
  /// - Throws: ``MagicError``: ``MagicError/Code/invalidQuery`` where there is no such column,
  ///   ``MagicError/Code/cannotEncode`` where the value has no stored form.
  public func set<Value: Magical>(_ name: String, to value: Value?) throws {
    try values.set(name, to: value)
  }
}

/// A row that a statement is to write.
package protocol NewRowValues: AnyObject {
  func set<Value: Magical>(_ name: String, to value: Value?) throws
}
