import MagicEngine
package import MagicSchema

extension QueryDescription {
  /// Returns the row for a closure. Each closure of an unbound query gets another one, because the
  /// query may become a subquery of a query of the same type.
  package mutating func row<Model: MagicObject>() -> MagicRow<Model> {
    guard rowScopes != nil else { return MagicRow(scope: .root) }
    let scope = RowScopeID.newMember()
    rowScopes?.append(scope)
    return MagicRow(scope: scope)
  }
}
