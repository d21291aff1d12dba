import DatabaseTransfer
import Foundation
import MagicSchema

/// The description of the tables of an exported database, which is the file `database.json` of the
/// folder. The names of the properties are the keys of the file; those of `StoredProperty` are its `CodingKeys`.
struct FolderManifest: Codable {
  static let file = "database.json"
  /// The folder of the assets.
  static let assets = "assets"
  /// The version of the format that this library writes.
  static let version = 1
  static let name = "MagicData export"

  var format = Self.name
  var version = Self.version
  var tables: [Table]
  /// Nil if the number of assets is not checked.
  var assets: Assets?

  struct Assets: Codable, Equatable {
    var count: Int
    /// The size of all files, in bytes.
    var bytes: Int
  }

  struct Table: Codable {
    var name: String
    var type: String
    var file: String
    /// The number of lines; nil if it is not checked.
    var rows: Int?
    /// The size of the longest line, in bytes; nil if it is not known.
    var largestLine: Int?
    var columns: [Column]
    var indexes: [TransferredTable.Index]
    var collections: [Collection]
    var properties: [StoredProperty]
    var search: Search?
    var lastRowID: Int64
    var lastPrimary: Int64
    var countsPrimaries: Bool
    var version: Int64
    var fingerprint: String
    var isPartial: Bool
    var hasFileDescription: Bool
  }

  struct Column: Codable {
    var name: String
    var kind: String
    var isNullable: Bool
    var isAsset: Bool
    var references: Reference?
    /// The name of the collation in SQLite; nil if texts are compared by their bytes.
    var collation: String?
  }

  struct Reference: Codable {
    var table: String
    var deleteRule: String
  }

  struct Collection: Codable {
    var property: String
    var kind: String
    var isOwned: Bool
    var target: String
    var deleteRule: String
    var joinTable: String
    /// The kind of the keys of a dictionary.
    var keys: String
    var file: String
    /// The number of lines; nil if it is not checked.
    var members: Int?
    /// The size of the longest line, in bytes; nil if it is not known.
    var largestLine: Int?
  }

  struct Search: Codable {
    struct Column: Codable {
      var name: String
      var kind: String
    }

    var columns: [Column]
    var options: String
  }

  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// - Throws: `MagicError` with `.notADatabase` or `.newerFormat`.
  init(_ data: Data) throws {
    struct Head: Decodable {
      var format: String
      var version: Int
    }
    do {
      let head = try JSONDecoder().decode(Head.self, from: data)
      guard head.format == Self.name else {
        throw MagicError(
          .notADatabase, "The file \(Self.file) is not the description of an exported database.")
      }
      guard head.version <= Self.version else {
        throw MagicError(
          .newerFormat, "A newer version of MagicData has exported the database.")
      }
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let error as DecodingError {
      throw MagicError(
        .notADatabase,
        "The file \(Self.file) is not the description of an exported database: "
          + "\(Self.place(of: error)).", cause: error)
    }
  }

  init(tables: [Table], assets: Assets?) { (self.tables, self.assets) = (tables, assets) }

  private static func place(of error: DecodingError) -> String {
    func text(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
      (context.codingPath + (key.map { [$0] } ?? [])).map { key in
        key.intValue.map { "[\($0)]" } ?? key.stringValue
      }.joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(text(context, key)) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      let path = text(context)
      return path.isEmpty ? "it is not valid JSON" : "\(path) is not valid"
    @unknown default: return "it is not valid JSON"
    }
  }
}
