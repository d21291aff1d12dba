package import MagicSchema

/// A type whose primary value is a number that the database assigns.
package struct Ticket: MagicObject {
  @PrimaryMagicValue package var number: Int
  @MagicValue package var title: String
  @OptionMagicValue(.unique) package var seat: String?

  package init() {}
  package init(_ title: String, seat: String? = nil) {
    self.title = title
    self.seat = seat
  }
}
