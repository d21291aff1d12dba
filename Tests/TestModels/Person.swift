package import MagicSchema

/// A type whose primary value is a text.
package struct Person: MagicObject {
  @PrimaryMagicValue package var id: String
  @MagicValue(.indexed) package var name: String
  @MagicValue package var age: Int = 3
  @OptionMagicValue package var petName: String?

  package init() {}
  package init(name: String) { self.name = name }
  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
