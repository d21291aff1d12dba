public import MagicSchema

/// A file whose records become objects of a type: JSON lines, a JSON array, or CSV.
///
/// ```swift
/// var guests = MagicImport(Guest.self, from: path)
///
/// guests.dates = .format("dd/MM/yyyy")
/// print(try await magic.importPlan(for: guests))
/// let imported = try await magic.importObjects(guests) { print("\($0.fraction * 100)%") }
/// ```
///
/// The columns of CSV, and the keys of JSON, are the names of properties or their keys in JSON
/// documents. A column without a property is an error, unless ``property`` leaves it out.
///
/// Values of CSV are texts, numbers, `true`, `false`, `yes`, `no`, `1` and `0`, dates, bytes in Base64,
/// values that are stored as JSON as that JSON, and primary values of the objects that to-one
/// relationships refer to. Numbers are in decimal notation. An empty field is nil, an empty text, or no
/// value. Objects of JSON have the form of ``MagicJSON``; a `Decimal` may also be a number, and a `Bool`
/// 0 or 1.
public struct MagicImport<Model: MagicObject>: Sendable {
  var file: MagicImportFile

  /// The path of the file.
  public var path: String {
    get { file.path }
    set { file.path = newValue }
  }
  /// The format of the file. Default: JSON for the extension `json`, JSON lines for `jsonl` and
  /// `ndjson`, and otherwise CSV.
  public var format: MagicImportFormat {
    get { file.format }
    set { file.format = newValue }
  }
  /// Returns the name of the property for a column of CSV or a key of JSON; nil leaves the values out.
  /// Default: the column itself.
  public var property: @Sendable (_ column: String) -> String? {
    get { file.property }
    set { file.property = newValue }
  }
  /// The form of dates. Default: they are detected.
  public var dates: MagicImportDates {
    get { file.dates }
    set { file.dates = newValue }
  }
  /// The character between the fields of CSV, in ASCII. Default: the most frequent one of comma,
  /// semicolon, tab and vertical line in the first record.
  public var delimiter: Character? {
    get { file.delimiter }
    set { file.delimiter = newValue }
  }
  /// Whether the first record of CSV contains the names of the columns. Otherwise they are 1, 2 and so
  /// on. Default: true.
  public var hasHeader: Bool {
    get { file.hasHeader }
    set { file.hasHeader = newValue }
  }
  /// The encoding of the text. Default: that of the byte order mark, UTF-8, or Windows 1252 if the
  /// beginning of the file is not UTF-8.
  public var encoding: MagicImportEncoding? {
    get { file.encoding }
    set { file.encoding = newValue }
  }
  /// When records are committed. Default: all together.
  public var commits = MagicImportCommits.together
  /// The number of the first record that is imported, from 1. Records before it are skipped; the names of
  /// the columns are read in any case, and are no record. Default: 1.
  public var firstRecord: Int {
    get { file.firstRecord }
    set { file.firstRecord = newValue }
  }
  /// The size of the largest record, in bytes. Default: 64 MiB.
  public var largestRecord: Int {
    get { file.largestRecord }
    set { file.largestRecord = newValue }
  }

  /// Describes the import of a file.
  ///
  /// - Parameters:
  ///   - type: the type of the objects.
  ///   - path: the path of the file.
  public init(_ type: Model.Type, from path: String) { file = MagicImportFile(path: path) }
}

/// The format of an imported file.
public enum MagicImportFormat: Hashable, Sendable {
  /// Records of fields, as in RFC 4180. Quoted fields can contain delimiters, quotes and line ends.
  case csv
  /// An object of JSON on each line.
  case jsonLines
  /// An array of objects, or a document in the form of the JavaScript package flatted, in which Realm
  /// Studio exports. Such a document is read into memory as a whole, and its records are saved together:
  /// those of the list with the name of the type, or of the document, if that is a list.
  case json
}

/// The encoding of an imported file.
public enum MagicImportEncoding: Hashable, Sendable, CaseIterable {
  /// UTF-8.
  case utf8
  /// UTF-16 with the least significant byte first.
  case utf16LittleEndian
  /// UTF-16 with the most significant byte first.
  case utf16BigEndian
  /// Windows 1252, which contains ISO 8859-1.
  case windows1252
}

/// When an import commits its records.
public enum MagicImportCommits: Hashable, Sendable {
  /// All records are committed together. After an error or a cancellation, none is stored.
  case together
  /// Every 1,000 records are committed, or fewer that have 16 MiB together. The error of a later one says
  /// where to continue. The records of a document in the form of flatted refer to each other, and are
  /// committed together.
  case eachBatch
}

/// The form of dates in an imported file: of columns, of objects inside of records, and inside of values that
/// are stored as JSON.
public struct MagicImportDates: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case detected
    case format(DateFormat)
    case seconds(since1970: Bool, perUnit: Double)
  }

  let kind: Kind

  /// Dates of ISO 8601, such as `2024-05-31` and `2024-05-31T18:30:00.5+02:00`, also with a space
  /// or slashes, and such as `31.5.2024`. Without a time zone they are in UTC. A number of JSON is the
  /// number of seconds since 2001, as in documents; a number in a field of CSV is no date.
  public static var detected: MagicImportDates { MagicImportDates(kind: .detected) }

  /// Dates with digits for `yyyy`, `yy`, `MM`, `dd`, `HH`, `mm`, `ss` and `SSS`, in UTC. Every other
  /// character is itself. A part with fewer digits, such as the month `5`, is permitted where
  /// a character follows that is no digit, but a year has as many digits as its part. A year of two
  /// digits is one from 1970 to 2069.
  public static func format(_ pattern: String) -> MagicImportDates {
    MagicImportDates(kind: .format(DateFormat(pattern)))
  }

  /// The number of seconds since the beginning of 2001 in UTC, as in documents.
  public static var secondsSince2001: MagicImportDates {
    MagicImportDates(kind: .seconds(since1970: false, perUnit: 1))
  }

  /// The number of seconds since the beginning of 1970 in UTC.
  public static var secondsSince1970: MagicImportDates {
    MagicImportDates(kind: .seconds(since1970: true, perUnit: 1))
  }

  /// The number of milliseconds since the beginning of 1970 in UTC.
  public static var millisecondsSince1970: MagicImportDates {
    MagicImportDates(kind: .seconds(since1970: true, perUnit: 1_000))
  }
}
