import MagicEngine
package import MagicSchema

extension QueryDescription {
  /// Creates the description of the query for the rows for which a predicate is true.
  package init<Model: MagicObject>(
    where predicate: (MagicRow<Model>) -> MagicPredicate<Model>
  ) {
    self.init()
    restrict(to: predicate(MagicRow(scope: .root)).untyped)
  }
}
