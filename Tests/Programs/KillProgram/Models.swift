package import Foundation
package import MagicAssets

/// An object with a file, which refers to another object with a file.
package struct Letter: MagicObject {
  @PrimaryMagicValue package var number: Int
  /// Determines the content of the scan; 0 for a letter without a scan.
  @MagicValue package var version: Int
  @MagicValue(.searchable) package var text: String
  @MagicValue package var scan: MagicAsset<Data>
  @OptionMagicValue(.onDelete(.cascade)) package var envelope: Envelope?

  package init() { scan = .init() }

  init(_ number: Int) {
    scan = .init()
    self.number = number
  }

  func setVersion(_ version: Int, _ scan: MagicAsset<Data>? = nil) {
    self.version = version
    self.text = Self.text(number, version)
    self.scan = scan ?? Content.asset(version)
  }

  /// The text of a version, which shows whether all values of a row have the same version.
  package static func text(_ number: Int, _ version: Int) -> String {
    "letter \(number), version \(version)"
  }
}

/// An object whose removal cascades to its letters.
package struct Envelope: MagicObject {
  @PrimaryMagicValue package var number: Int
  @MagicValue package var version: Int
  @MagicValue package var photo: MagicAsset<Data>

  package init() { photo = .init() }

  init(_ number: Int) {
    photo = .init()
    self.number = number
  }

  func setVersion(_ version: Int) {
    self.version = version
    photo = Content.asset(version)
  }
}
