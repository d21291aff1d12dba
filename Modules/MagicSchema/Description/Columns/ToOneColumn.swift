import MagicRuntime
import Magical

/// A column that refers to a row of another table, or of the same table.
///
/// Subclasses capture the values of properties and record what was saved. These are class methods,
/// not closures or protocol requirements, because each save calls them for each object.
package class ToOneColumn: ColumnSchema, @unchecked Sendable {
  /// Whether the owner and the target are stored in the same ``RowGraph``. Set once, before the
  /// first fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  /// The type that the relationship refers to; see `target`.
  let targetType: any MagicObject.Type
  let targetLayout = KnownLayout()

  init(
    property: String, role: Role, options: [MagicOption], template: PropertyReference,
    valueType: Any.Type, targetType: any MagicObject.Type, packing: _MagicalPacking
  ) {
    self.targetType = targetType
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: valueType, codec: .link, packing: packing, storageClass: .integer)
  }

  package var deleteRule: MagicDeleteRule {
    for case .onDelete(let rule) in options.map(\.kind) { return rule }
    return isNullable ? .nullify : .deny
  }

  /// Marks the property of a fetched row as a relationship that is not loaded.
  package func exclude(_ column: Int, of row: PackedRow) {}

  /// Returns the current target of the property, and clears its changed flag with `marking`.
  package func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedLink { CapturedLink(.none, saved: nil, isChanged: false) }

  /// Records the row ID that was written for a property. The result restores the previous record.
  package func recordSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> UndoAction? { nil }

  /// Releases a saved object that retains the graph which retains the property.
  package func releaseRetainCycle(_ property: PropertyReference) {}

  /// Sets the value in memory to nil if it is still a deleted object.
  package func clear(
    _ property: PropertyReference, where isDeleted: (ObjectReference) -> Bool
  ) {}
}
