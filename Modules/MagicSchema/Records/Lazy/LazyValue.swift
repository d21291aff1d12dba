package import Magical

/// A property's value that is fetched when it is asked for, not with its object.
///
/// It holds no value itself but says where that is.
package protocol LazyValue: Magical, Sendable {
  /// What is fetched: an object, or a collection of objects.
  associatedtype Content: Magical & Sendable

  init(_ reference: LazyReference)

  var reference: LazyReference { get }
}
