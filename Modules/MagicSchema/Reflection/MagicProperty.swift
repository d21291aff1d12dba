/// All that reflection sees of a property wrapper.
package protocol MagicProperty {
  var reference: PropertyReference { get }

  /// The column for this property.
  func column(named name: String, options: [MagicOption]) -> ColumnSchema
}

/// Values that are objects, or collections of them: links to rows, not values of a column.
package protocol RelationColumn {}

extension Array: RelationColumn where Element: MagicObject {}
extension Dictionary: RelationColumn where Value: MagicObject {}
extension Set: RelationColumn where Element: MagicObject {}

/// Values that are made of others.
package protocol CompositeValue {
  static var parts: [Any.Type] { get }
}

extension Array: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Set: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Optional: CompositeValue { package static var parts: [Any.Type] { [Wrapped.self] } }

extension Dictionary: CompositeValue {
  package static var parts: [Any.Type] { [Key.self, Value.self] }
}
