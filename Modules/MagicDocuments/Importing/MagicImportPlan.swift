public import Foundation
import MagicSchema

/// What an import would do, without having done it.
public struct MagicImportPlan: Sendable, CustomStringConvertible {
  /// A column of the file, or a key of its objects.
  public struct Column: Hashable, Sendable {
    /// The name of the column.
    public let name: String
    /// The property that gets the values; nil if they are left out, or if there is no such property.
    public let property: String?
    /// The type of the property; nil without a property.
    public let type: String?
    /// The number of records with a value in the column.
    public let values: Int
    /// Whether the column has to be given a property, or be left out, before the import can run.
    public let isUnknown: Bool

    /// The number of values that would be lost.
    public var lostValues: Int { property == nil ? values : 0 }
  }

  /// The number of records that can be imported.
  public internal(set) var records = 0
  /// The columns in their order in the file. Of the keys of JSON, the first 1,000, or fewer whose names have
  /// 1 MiB together.
  public internal(set) var columns: [Column] = []
  /// The number of values of other keys of JSON, which would be lost.
  public internal(set) var unlistedValues = 0
  /// Whether one of these keys has to be given a property, or be left out.
  var hasUnlistedUnknown = false
  /// The properties for which the file has no column. New objects have their default values.
  public internal(set) var properties: [String] = []
  /// The first errors, at most 20.
  public internal(set) var errors: [MagicImportError] = []
  /// The number of records with an error.
  public internal(set) var errorCount = 0

  /// Whether each record can be imported, and no column is unknown. The values, the references, and the
  /// versions of stored objects are checked. The database can still refuse records, for example because
  /// of a unique index, or because a new object with a ``MagicKey`` lacks a value.
  public var isPossible: Bool {
    errorCount == 0 && !hasUnlistedUnknown && !columns.contains(where: \.isUnknown)
  }

  /// The counts, a line for each column, and the errors.
  public var description: String {
    var lines = ["\(records) records can be imported, \(errorCount) have errors."]
    for column in columns {
      if let property = column.property, let type = column.type {
        lines.append("  \(column.name) → \(property): \(type), \(column.values) values")
      } else {
        lines.append(
          "  \(column.name) → \(column.isUnknown ? "unknown" : "left out"), "
            + "\(column.lostValues) values lost")
      }
    }
    if unlistedValues > 0 || hasUnlistedUnknown {
      lines.append(
        "  other keys → \(hasUnlistedUnknown ? "unknown" : "left out"), \(unlistedValues) values lost"
      )
    }
    if !properties.isEmpty { lines.append("  no column: \(properties.joined(separator: ", "))") }
    lines += errors.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}

/// Why a record of a file cannot be imported: the cause of a `MagicError`.
public struct MagicImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line on which the record begins, from 1.
  public let line: Int
  /// The number of the record, from 1; 0 if the error concerns the names of the columns.
  public let record: Int
  /// The column or key; nil if the error concerns the whole record.
  public let column: String?
  /// What is wrong.
  public let reason: String
  /// The number of the first record that was not imported: ``MagicImport/firstRecord`` of an import that
  /// continues.
  public internal(set) var nextRecord = 1

  init(at place: RecordPlace, column: String? = nil, reason: String) {
    (line, record, self.column, self.reason) = (place.line, place.record, column, reason)
  }

  /// The line, the number of the record, the column and the reason.
  public var description: String {
    let place = record == 0 ? "line \(line)" : "line \(line), record \(record)"
    return "\(place)\(column.map { ", column \($0)" } ?? ""): \(reason)"
  }

  /// The error of the call that imports the file.
  func error(_ type: String, _ code: MagicError.Code = .cannotDecode) -> MagicError {
    MagicError(code, "The file cannot be imported: \(self).", type: type, cause: self)
  }
}

/// What was imported.
public struct MagicImportSummary: Hashable, Sendable {
  /// The number of records.
  public internal(set) var records = 0
  /// The line on which the last record begins; 0 without records.
  public internal(set) var lastLine = 0
}

/// `localizedDescription` is the description, in English.
extension MagicImportError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
