/// What a file contains: its types, without their rows.
public struct InspectedDatabase: Hashable, Sendable {
  /// The version of the file format; nil for a file without objects of MagicData.
  public let format: Int?
  /// The identifier of the database; nil for a file without objects of MagicData.
  public let identifier: String?
  /// The number of a shared database, or 0.
  public let storeNumber: Int
  /// The types, in the order of their names.
  public let types: [InspectedType]
  /// The tables and views that are not those of types.
  public let otherTables: [String]
  /// What in the description of the file contradicts its tables, one sentence each.
  public let problems: [String]

  package init(
    format: Int?, identifier: String? = nil, storeNumber: Int = 0, types: [InspectedType],
    otherTables: [String] = [], problems: [String] = []
  ) {
    self.format = format
    self.identifier = identifier
    self.storeNumber = storeNumber
    self.types = types
    self.otherTables = otherTables
    self.problems = problems
  }

  /// The newest format that this program reads.
  public static let newestFormat = 3

  /// Whether the original MagicData has written the file. All its tables are then those of its types.
  public var isOfOriginalLibrary: Bool { otherTables.contains("0Table_Info") }

  /// Returns a type by its name in Swift or by its table. If several types have the name, the table
  /// is needed.
  ///
  /// - Throws: ``InspectionError`` with the kind `notFound`.
  public func type(named name: String) throws(InspectionError) -> InspectedType {
    if let type = types.first(where: { $0.table == name }) { return type }
    let found = types.filter { $0.name == name }
    let loose = found.isEmpty ? types.filter { $0.name.lowercased() == name.lowercased() } : found
    if loose.count == 1 { return loose[0] }
    if loose.count > 1 {
      let tables = loose.map(\.table.shown).sorted().joined(separator: ", ")
      throw InspectionError(
        .notFound, "Several types have this name. Name the table, one of: \(tables).")
    }
    let names = types.prefix(20).map(\.name.shown).joined(separator: ", ")
    throw InspectionError(
      .notFound,
      types.isEmpty
        ? "The database has no types." : "The database has no type of this name. It has: \(names).")
  }

  /// Returns the type of a table.
  public func type(ofTable table: String) -> InspectedType? { types.first { $0.table == table } }

  /// Returns the relationships of all types that are stored and refer to a table.
  public func references(to table: String) -> [InspectedRelationship] {
    types.flatMap(\.relationships).filter { $0.target == table && $0.isStored }
  }
}
