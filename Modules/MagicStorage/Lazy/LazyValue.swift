package import Magical

/// The value of a lazy property, which is fetched when the property is read and not together with
/// its object.
///
/// It contains a reference to the content, not the content.
package protocol LazyValue: Magical, Sendable {
  /// The type of the content: an object, a collection of objects, or a file value.
  associatedtype Content: Magical & Sendable

  init(_ reference: LazyReference)

  var reference: LazyReference { get }
}
