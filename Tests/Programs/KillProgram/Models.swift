package import Foundation
package import MagicAssets

/// An object with a file, which refers to another object with a file.
package struct Letter: MagicObject {
  @PrimaryMagicValue package var number: Int
  /// Tells what the scan is to contain; 0 for a letter without one.
  @MagicValue package var version: Int
  @MagicValue package var text: String
  @MagicValue package var scan: MagicAsset<Data>
  @OptionMagicValue(.onDelete(.cascade)) package var envelope: Envelope?

  package init() { scan = .init() }

  init(_ number: Int) {
    self.init()
    self.number = number
  }

  func setVersion(_ version: Int, _ scan: MagicAsset<Data>? = nil) {
    self.version = version
    self.text = Self.text(number, version)
    self.scan = scan ?? Content.asset(version)
  }

  /// Belongs to a version, so that a row cannot be half of one and half of another unnoticed.
  package static func text(_ number: Int, _ version: Int) -> String {
    "letter \(number), version \(version)"
  }
}

/// The other object, whose letters go with it.
package struct Envelope: MagicObject {
  @PrimaryMagicValue package var number: Int
  @MagicValue package var version: Int
  @MagicValue package var photo: MagicAsset<Data>

  package init() { photo = .init() }

  init(_ number: Int) {
    self.init()
    self.number = number
  }

  func setVersion(_ version: Int) {
    self.version = version
    photo = Content.asset(version)
  }
}
