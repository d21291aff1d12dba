public import Foundation

/// The values of an object in the form of a record of CloudKit: a record type, a record name, and a
/// value for each field. It is a plain value, and needs no CloudKit.
///
/// ```swift
/// let record = try song.cloudRecord()
/// let copy = try Song(cloudRecord: record)
/// ```
///
/// On Apple systems `MagicCloudRecord(ckRecord:)` and `ckRecord(in:)` convert it from and to a `CKRecord`.
///
/// The record type is the name of the object type. The record name contains the type and the primary,
/// because the names of all types are in one zone: see ``MagicID/cloudRecordName``. The fields are the
/// properties of a ``MagicRecord`` except the primary and the version, and the assets:
///
/// | property | field |
/// |---|---|
/// | text, `UUID`, `URL`, `Decimal`, `Duration` | text, as it is stored |
/// | integer, `Bool` | integer |
/// | `Double`, `Float` | real |
/// | `Date` | date |
/// | `Data`, a vector | data |
/// | a value that is stored as JSON | data: the JSON in UTF-8 |
/// | an enumeration, a type with a conversion of its own | as it is stored |
/// | to-one | reference |
/// | list, set | list of references |
/// | dictionary | list of references, and a field `NAME_keys` with the keys as texts of JSON |
/// | asset | file, and a field `NAME_extension` if the name of the file has an extension |
/// | nil | null |
///
/// Lazy and inverse relationships are not contained.
public struct MagicCloudRecord: Hashable, Sendable {
  /// The name of the object type.
  public var recordType: String
  /// The name that identifies the record among those of all types.
  public var recordName: String
  /// The values by the names of the properties.
  public var fields: [String: MagicCloudValue]

  /// Creates a record.
  public init(recordType: String, recordName: String, fields: [String: MagicCloudValue] = [:]) {
    self.recordType = recordType
    self.recordName = recordName
    self.fields = fields
  }
}

/// The value of a field of a ``MagicCloudRecord``.
public enum MagicCloudValue: Hashable, Sendable {
  /// No value. A record of CloudKit does not contain the field.
  case null
  /// A text.
  case text(String)
  /// An integer, or a truth value as 0 or 1.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A date. CloudKit keeps milliseconds.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A reference to the record with this name.
  case reference(String)
  /// The content of a file.
  case file(URL)
  /// Values of one kind, in order.
  case list([MagicCloudValue])
}

extension MagicCloudValue {
  /// The kind of the value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .text: "a text"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .reference: "a reference"
    case .file: "a file"
    case .list: "a list"
    }
  }
}
