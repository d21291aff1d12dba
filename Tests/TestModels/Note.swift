package import MagicSchema

/// A type without a primary value.
package struct Note: MagicObject {
  @MagicValue package var text: String
  @OptionMagicValue package var stars: Int?

  package init() {}
  package init(_ text: String) { self.text = text }
}
