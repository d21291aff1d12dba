import Foundation
import MagicInspection

/// The bytes of a value: those of an asset's file, or those in the row.
enum StoredBytes {
  case file(URL, Int)
  case bytes([UInt8])
  /// The file of an asset does not exist.
  case missing

  /// Nil for a value that is neither an asset nor bytes nor text.
  init?(_ value: InspectedValue, _ column: InspectedColumn, _ reader: InspectionReader) {
    if column.form == .asset, let name = value.text {
      guard let url = reader.assetFile(named: name),
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size]
          as? NSNumber
      else {
        self = .missing
        return
      }
      self = .file(url, size.intValue)
    } else if let bytes = value.bytes {
      self = .bytes(bytes)
    } else if let text = value.text {
      self = .bytes(Array(text.utf8))
    } else {
      return nil
    }
  }

  /// The first bytes, and whether these are all.
  func beginning(_ limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
    switch self {
    case .missing: return ([], true)
    case .bytes(let bytes): return (Array(bytes.prefix(limit)), bytes.count <= limit)
    case .file(let url, let size):
      guard let file = try? FileHandle(forReadingFrom: url) else { return ([], true) }
      defer { try? file.close() }
      let data = (try? file.read(upToCount: limit)) ?? nil
      return (Array(data ?? Data()), size <= limit)
    }
  }

  var media: Media {
    let (bytes, isWhole) = beginning(Media.prefixLength)
    return Media(beginning: bytes, isWhole: isWhole)
  }
}
