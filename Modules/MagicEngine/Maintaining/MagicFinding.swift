public import MagicSchema

/// One thing that a check of a database found. Values never appear in it.
public struct MagicFinding: Sendable, Hashable {
  /// What kind of thing it is.
  public let kind: Kind
  /// A sentence for people.
  public let message: String
  /// The type whose table it concerns, where the database knows it.
  public let type: String?
  /// The table it concerns.
  public let table: String?
  /// The column it concerns, or the collection.
  public let column: String?
  /// The row it concerns, or one of them.
  public let zIndex: ZIndex?
  /// The table that a reference refers to.
  public let target: String?
  /// The file it concerns, as a path in the folder of assets.
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
  /// What kind of thing a finding is. New kinds may come with new versions.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let description: String
    /// Whether a sound database has none of it.
    public let isFault: Bool

    private init(_ description: String, isFault: Bool = true) {
      self.description = description
      self.isFault = isFault
    }

    /// A page, an index or a table of the database is damaged.
    public static let damage = Kind("damage")
    /// A row refers to another that is not there.
    public static let brokenReference = Kind("brokenReference")
    /// The file that a row names is not there, or something else lies in its place.
    public static let missingFile = Kind("missingFile")
    /// The file that a row names is not as long as it was written.
    public static let wrongSize = Kind("wrongSize")
    /// The system refuses to read a file.
    public static let unreadableFile = Kind("unreadableFile")
    /// No row names the file.
    public static let orphanFile = Kind("orphanFile")
    /// A file in the folder of assets that the library did not write. It is no fault.
    public static let foreignFile = Kind("foreignFile", isFault: false)
    /// A row holds something else in the place of a file's name.
    public static let noFileName = Kind("noFileName")
    /// The database's count of the rows that name a file is wrong.
    public static let wrongCount = Kind("wrongCount")
    /// The database lists a column of files that it does not have, or does not list one.
    public static let wrongCatalogue = Kind("wrongCatalogue")
    /// A trigger that counts the rows which name a file is not in the database.
    public static let missingTrigger = Kind("missingTrigger")
  }
}

extension MagicFinding: CustomStringConvertible {
  /// One line: the kind, the place and the sentence.
  public var description: String {
    var place = [table, column].compactMap { $0 }.joined(separator: ".")
    if let zIndex { place += " row \(zIndex)" }
    let line = [kind.description, place, message].filter { !$0.isEmpty }.joined(separator: ": ")
    return line.inOneLine
  }
}

extension String {
  /// The same text without characters that end a line or steer a terminal: names may hold any.
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
