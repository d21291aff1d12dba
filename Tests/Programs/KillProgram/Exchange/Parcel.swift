package import MagicData

/// An object that is imported.
package struct Parcel: MagicObject {
  @PrimaryMagicValue package var number: Int
  @MagicValue(.indexed) package var text: String
  @MagicValue package var weight: Double

  package init() {}

  /// The text of a parcel.
  package static func text(_ number: Int) -> String { "parcel \(number)" }

  /// The weight of a parcel.
  package static func weight(_ number: Int) -> Double { Double(number) / 8 }

  /// The parcel as a line of JSON.
  static func line(_ number: Int) -> String {
    #"{"number":\#(number),"text":"\#(text(number))","weight":\#(weight(number))}"#
  }
}
