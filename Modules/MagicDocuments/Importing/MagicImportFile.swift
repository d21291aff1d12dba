import Foundation

/// A file to import, and how its columns become properties. ``MagicImport`` defines the values.
@_spi(Tools)
public struct MagicImportFile: Sendable {
  /// The path of the file.
  public var path: String
  /// The format of the file.
  public var format: MagicImportFormat
  /// Returns the name of the property for a column; nil leaves the values out.
  public var property: @Sendable (_ column: String) -> String? = { $0 }
  /// The form of dates.
  public var dates = MagicImportDates.detected
  /// The character between the fields of CSV; nil if it is detected.
  public var delimiter: Character?
  /// Whether the first record of CSV contains the names of the columns.
  public var hasHeader = true
  /// The encoding of the text; nil if it is detected.
  public var encoding: MagicImportEncoding?
  /// The number of the first record that is imported, from 1.
  public var firstRecord = 1
  /// The size of the largest record, in bytes.
  public var largestRecord = 64 << 20

  /// Describes a file, whose format is that of its extension.
  public init(path: String) {
    self.path = path
    format =
      switch URL(fileURLWithPath: path).pathExtension.lowercased() {
      case "json": .json
      case "jsonl", "ndjson": .jsonLines
      default: .csv
      }
  }
}
