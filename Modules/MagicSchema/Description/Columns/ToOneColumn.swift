import MagicRuntime
import Magical

/// A column that refers to a row of another table, or of its own.
///
/// Subclasses capture and note what properties hold. That is class dispatch, since each save asks for
/// each object.
package class ToOneColumn: ColumnSchema, @unchecked Sendable {
  /// Whether owner and target lie in one ``RowGraph``. Set once, before the first fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  /// The type it refers to; see `target`.
  let targetType: any MagicObject.Type

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

  /// Takes what the property refers to now, and marks it as saved.
  package func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedLink { CapturedLink(.none, saved: nil, isChanged: false) }

  /// Notes the row that was written for a property; gives back the one before.
  package func noteSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> SavedLink? { nil }

  /// Releases a saved object that keeps the graph which keeps the property.
  package func releaseRetainCycle(_ property: PropertyReference) {}

  /// Sets the value in memory to nil where it is still an object that is gone.
  package func clear(
    _ property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {}
}
