/// An option for an `Int` primary, given in the declaration of the property:
/// `@PrimaryMagicValue(.rowID) var number: Int`.
public struct MagicPrimaryOption: Sendable {
  @usableFromInline package let option: MagicOption

  /// The primary value is the row ID: the property has no column and no index of its own. Values
  /// begin at 1. The value of a saved object cannot be changed.
  public static var rowID: MagicPrimaryOption { Self(option: MagicOption(kind: .rowID)) }
}
