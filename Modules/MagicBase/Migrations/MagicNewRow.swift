public import Magical

/// A row as a migration step will write it.
///
/// ```swift
/// .transformRows { old, new in
///   let first: String = try old.value("firstName") ?? ""
///   let last: String = try old.value("lastName") ?? ""
///   try new.set("name", to: "\(first) \(last)")
/// }
/// ```
public struct MagicNewRow: ~Copyable {
  private let values: any NewRowValues

  package init(_ values: any NewRowValues) { self.values = values }

  /// Sets the value of a column that the table has or that the type declares. A to-one is set to
  /// the row ID of the object it refers to, an `Int64`.
  ///
  /// - Parameter value: the value; nil for NULL.
  /// - Throws: ``MagicError``: ``MagicError/Code/invalidQuery`` if there is no such column,
  ///   ``MagicError/Code/cannotEncode`` if the value cannot be stored.
  public func set<Value: Magical>(_ name: String, to value: Value?) throws {
    try values.set(name, to: value)
  }
}

/// The values of a row that a statement is to write.
package protocol NewRowValues: AnyObject {
  func set<Value: Magical>(_ name: String, to value: Value?) throws
}
