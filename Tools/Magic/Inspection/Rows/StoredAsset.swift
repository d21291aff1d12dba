package import Foundation

/// Where the content of an asset is.
package enum StoredAsset {
  /// In a file, with its size in bytes.
  case file(URL, Int)
  /// In rows of a table: the size in bytes, and a function that reads the first bytes.
  case rows(Int, beginning: (Int) throws -> [UInt8])

  /// The size in bytes.
  package var size: Int {
    switch self {
    case .file(_, let size), .rows(let size, _): size
    }
  }
}
