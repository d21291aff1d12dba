public import Foundation
import MagicSQLite

/// What a file and its tables need on the disk.
public struct InspectedSizes: Hashable, Sendable {
  /// The size of the database file, in bytes.
  public let file: Int
  /// The size of the write-ahead log, in bytes.
  public let log: Int
  /// The size of a page, in bytes.
  public let pageSize: Int
  /// The number of pages.
  public let pages: Int
  /// The number of pages that contain no data.
  public let freePages: Int
  /// The bytes of each table and of each index by name; nil if this SQLite cannot measure them, or
  /// not within the time.
  public let objects: [String: Int]?
  /// The files of assets: their number and size. Nil if the file has no types with assets.
  public let assets: InspectedAssets?
}

/// The files of assets that rows refer to.
public struct InspectedAssets: Hashable, Sendable {
  /// The number of files.
  public let files: Int
  /// Their size in bytes, as their names say.
  public let bytes: Int
}

extension InspectionReader {
  /// Measures the file, for a limited time.
  public func sizes(within duration: Duration = .seconds(1)) throws -> InspectedSizes {
    let objects = try? limited(to: duration) {
      try Dictionary(
        map("SELECT name, pgsize FROM dbstat WHERE aggregate = 1", limit: Self.schemaLimit) {
          ($0.text(0) ?? "", Int($0.column(1).integer))
        }, uniquingKeysWith: +)
    }
    return InspectedSizes(
      file: Self.fileSize(path), log: Self.fileSize(path + "-wal"),
      pageSize: Int(try integer("PRAGMA page_size") ?? 0),
      pages: Int(try integer("PRAGMA page_count") ?? 0),
      freePages: Int(try integer("PRAGMA freelist_count") ?? 0), objects: objects,
      assets: try assets())
  }

  private func assets() throws -> InspectedAssets? {
    guard try fileTables()["magic_assets"] == .table else { return nil }
    var (files, bytes) = (0, 0)
    try rows("SELECT name FROM magic_assets WHERE uses > 0") { statement in
      files += 1
      let (sum, overflow) = bytes.addingReportingOverflow(
        AssetName(statement.text(0) ?? "")?.size ?? 0)
      bytes = overflow ? .max : sum
      return true
    }
    return InspectedAssets(files: files, bytes: bytes)
  }

  /// Returns the file of an asset; nil if the name is not that of an asset, or if there is no such
  /// file. Symbolic links are not followed.
  public func assetFile(named name: String) -> URL? {
    guard let name = AssetName(name) else { return nil }
    let folder = URL(fileURLWithPath: path + "-assets")
    let batch = folder.appendingPathComponent(name.batch)
    let file = batch.appendingPathComponent(name.file)
    func type(_ url: URL) -> FileAttributeType? {
      (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
    }
    guard type(folder) == .typeDirectory, type(batch) == .typeDirectory, type(file) == .typeRegular
    else { return nil }
    return file
  }
}

/// The name of an asset's file: a batch, a random number, the size, and an extension.
public struct AssetName: Hashable, Sendable {
  /// The directory.
  public let batch: String
  /// The name in the directory.
  public let file: String
  /// The size of the file, in bytes.
  public let size: Int
  /// The extension; "" without one.
  public let pathExtension: String

  /// Returns nil if the text is not such a name.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isNumber(parts[0]) else { return nil }
    let dot = parts[1].firstIndex(of: ".")
    let stem = parts[1][..<(dot ?? parts[1].endIndex)]
    let suffix = dot.map { parts[1][parts[1].index(after: $0)...] } ?? ""
    let numbers = stem.split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, Self.isNumber(numbers[0]),
      numbers[1].utf8.allSatisfy(Self.isDigit), let size = Int(numbers[1], radix: 16),
      (dot == nil) == suffix.isEmpty, suffix.utf8.count <= 32, !suffix.contains(".."),
      !suffix.hasPrefix("."), suffix.utf8.allSatisfy(Self.isAllowed)
    else { return nil }
    batch = String(parts[0])
    file = String(parts[1])
    self.size = size
    pathExtension = String(suffix)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }
}
