import Foundation
import MagicInspection

/// The bytes of a value: those of an asset, or those in the row.
enum StoredBytes {
  case asset(StoredAsset)
  case bytes([UInt8])
  /// The asset does not exist.
  case missing

  /// Nil for a value that is neither an asset nor bytes nor text.
  init?(
    _ value: InspectedValue, _ column: InspectedColumn, _ reader: any DatabaseReading
  ) throws {
    if column.form == .asset, let name = value.text {
      self = try reader.asset(named: name).map { .asset($0) } ?? .missing
    } else if let bytes = value.bytes {
      self = .bytes(bytes)
    } else if let text = value.text {
      self = .bytes(Array(text.utf8))
    } else {
      return nil
    }
  }

  /// The first bytes, and whether these are all.
  func beginning(_ limit: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
    switch self {
    case .missing: return ([], true)
    case .bytes(let bytes): return (Array(bytes.prefix(limit)), bytes.count <= limit)
    case .asset(.rows(let size, let beginning)): return (try beginning(limit), size <= limit)
    case .asset(.file(let url, let size)):
      guard let file = try? FileHandle(forReadingFrom: url) else { return ([], true) }
      defer { try? file.close() }
      let data = (try? file.read(upToCount: limit)) ?? nil
      return (Array(data ?? Data()), size <= limit)
    }
  }

  func media() throws -> Media {
    let (bytes, isWhole) = try beginning(Media.prefixLength)
    return Media(beginning: bytes, isWhole: isWhole)
  }
}
