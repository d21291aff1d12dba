import Foundation
import MagicFiles
import Magical

/// What the name of an asset's file may end with.
enum PathExtension {
  static let rule =
    "the extension of an asset's file is 1–32 of A–Z a–z 0–9 . _ - without a point in front or two in "
    + "a row"

  /// - Throws: `MagicalError` for any other.
  static func check(_ text: String?) throws(MagicalError) {
    guard let text, !AssetName.isExtension(text) else { return }
    throw MagicalError.cannotEncode(rule)
  }

  /// That of a file's name, where the name of an asset's file may have it.
  static func usable(of file: URL) -> String? {
    AssetName.isExtension(file.pathExtension) ? file.pathExtension : nil
  }
}
