import Foundation
import MagicFiles
import Magical

/// The rules for the extension of an asset's file name.
enum PathExtension {
  static let rule =
    "the path extension of an asset must have 1 to 32 characters of A–Z a–z 0–9 . _ -, must not "
    + "begin with a period, and must not contain two periods in a row"

  /// - Throws: `MagicalError` for an invalid extension.
  static func check(_ text: String?) throws(MagicalError) {
    guard let text, !AssetName.isExtension(text) else { return }
    throw MagicalError.cannotEncode(rule)
  }

  /// The extension of a file's name, if it is valid for the file of an asset.
  static func usable(of file: URL) -> String? {
    AssetName.isExtension(file.pathExtension) ? file.pathExtension : nil
  }
}
