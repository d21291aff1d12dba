/// A value that consists of other values.
package protocol CompositeValue {
  static var parts: [Any.Type] { get }
}

extension Array: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Set: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Optional: CompositeValue { package static var parts: [Any.Type] { [Wrapped.self] } }

extension Dictionary: CompositeValue {
  package static var parts: [Any.Type] { [Key.self, Value.self] }
}
