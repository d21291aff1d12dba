public import MagicSchema

/// One finding of a check of a database. Findings never contain values of the user's data.
public struct MagicFinding: Sendable, Hashable {
  /// The kind of the finding.
  public let kind: Kind
  /// A human-readable description.
  public let message: String
  /// The type whose table has the finding, if known.
  public let type: String?
  /// The table that has the finding.
  public let table: String?
  /// The column or the collection that has the finding.
  public let column: String?
  /// The row ID of the row that has the finding, or of one of them if several rows have it.
  public let zIndex: ZIndex?
  /// The table that a reference refers to.
  public let target: String?
  /// The file that has the finding, as a path relative to the assets folder.
  public let file: String?

  package init(
    _ kind: Kind, _ message: String, type: String? = nil, table: String? = nil,
    column: String? = nil, row: Int64? = nil, target: String? = nil, file: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.type = type
    self.table = table
    self.column = column
    zIndex = row.map { ZIndex(rawValue: $0) }
    self.target = target
    self.file = file
  }
}

extension MagicFinding {
  /// The kind of a finding. New versions of the library may add kinds.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String
    /// Whether the finding is a fault. A sound database has no faults.
    public let isFault: Bool

    private init(_ description: String, isFault: Bool = true) {
      self.description = description
      self.isFault = isFault
    }

    /// A page, an index or a table of the database is damaged.
    public static let damage = Kind("damage")
    /// A row refers to a row that does not exist.
    public static let brokenReference = Kind("brokenReference")
    /// The file that a row refers to does not exist, or its path is not a regular file.
    public static let missingFile = Kind("missingFile")
    /// The file that a row refers to has another length than when it was written.
    public static let wrongSize = Kind("wrongSize")
    /// The system refuses to read a file.
    public static let unreadableFile = Kind("unreadableFile")
    /// No row refers to the file.
    public static let orphanFile = Kind("orphanFile")
    /// A file in the assets folder that the library did not write. This is not a fault.
    public static let foreignFile = Kind("foreignFile", isFault: false)
    /// A row contains another value where a file name is expected.
    public static let noFileName = Kind("noFileName")
    /// The stored reference count of a file differs from the number of rows that refer to it.
    public static let wrongCount = Kind("wrongCount")
    /// The database lists a column of file names that does not exist, or does not list an existing
    /// one.
    public static let wrongCatalogue = Kind("wrongCatalogue")
    /// The description of the properties of a type does not match the type's table.
    public static let wrongDescription = Kind("wrongDescription")
    /// The search index of a type does not have the texts of a row, or is damaged. `repair()` creates
    /// it again.
    public static let wrongSearchIndex = Kind("wrongSearchIndex")
    /// The search index of a type was not checked, because the engine lacks full-text search or a
    /// tokenizer, which the message names. This is not a fault, but the report is incomplete.
    public static let uncheckedSearchIndex = Kind("uncheckedSearchIndex", isFault: false)
    /// The value of a row is not one of its property: bytes that are not a vector.
    public static let wrongValue = Kind("wrongValue")
    /// Indexes with the collation of a locale have the order of another version of the system. Opening
    /// the database for writing, and `repair()`, build them again. On PostgreSQL the message names the
    /// statements to run.
    public static let wrongOrder = Kind("wrongOrder")
    /// A trigger that maintains the reference counts of files, or a search index, is missing.
    public static let missingTrigger = Kind("missingTrigger")
  }
}

extension MagicFinding: CustomStringConvertible {
  /// One line: the kind, the table, column and row, and the message.
  public var description: String {
    var place = [table, column].compactMap { $0 }.joined(separator: ".")
    if let zIndex { place += " row \(zIndex)" }
    let line = [kind.description, place, message].filter { !$0.isEmpty }.joined(separator: ": ")
    return line.inOneLine
  }
}

extension String {
  /// The same text with control characters and line separators escaped. Names may contain any
  /// character.
  fileprivate var inOneLine: String {
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
