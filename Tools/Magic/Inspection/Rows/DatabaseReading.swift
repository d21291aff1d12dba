/// Reads the objects of a database for pages, from a file or from a server. The statements are the same for
/// both, except for what `RowDialect` has.
package protocol DatabaseReading: AnyObject {
  var dialect: RowDialect { get }

  /// The largest part of a text or of data that is read, in bytes.
  var valueLimit: Int { get set }

  /// Returns what the database contains, without its rows.
  func database() throws -> InspectedDatabase

  /// Runs a body on one snapshot.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a body with a limit of time.
  ///
  /// - Throws: ``InspectionError`` with the kind `limit` if a statement needs longer.
  func limited<Result>(to duration: Duration, _ body: () throws -> Result) throws -> Result

  /// Runs a body that reads objects.
  ///
  /// - Returns: its result; nil without the right to read them, which a role on a server can lack.
  func ifReadable<Result>(_ body: () throws -> Result) throws -> Result?

  /// The results of a SELECT of rows that ``forEachRow(_:_:of:isScored:_:)`` reads.
  func columnList(of type: InspectedType) -> String

  /// Runs a SELECT with the results of ``columnList(of:)``, and calls a closure for each row.
  ///
  /// - Parameters:
  ///   - values: the values of the parameters, which are written as `?`.
  ///   - isScored: whether the score follows the other results.
  func forEachRow(
    _ sql: String, _ values: [InspectedValue], of type: InspectedType, isScored: Bool,
    _ body: (InspectedRow) throws -> Void) throws

  /// Runs a SELECT, and returns its rows.
  ///
  /// - Parameter limit: the largest part of a value that is returned, in bytes.
  func rows(
    _ sql: String, _ values: [InspectedValue], valuesUpTo limit: Int
  ) throws -> [[InspectedValue]]

  /// Returns an object, named for a reader.
  func reference(
    to rowID: Int64, of type: InspectedType, key: InspectedValue?
  ) throws -> InspectedReference

  /// Reads the labels of objects at once, before they are asked for one by one.
  func readReferences(to rowIDs: [Int64], of type: InspectedType) throws

  /// Returns the snippets of rows that a search by an index has found.
  func snippets(
    of search: RowSearch, in type: InspectedType, _ rowIDs: [Int64]
  ) throws -> [Int64: [String: SearchSnippet]]

  /// Runs one SELECT of a user.
  func query(
    _ sql: String, values: [String: InspectedValue], limit: Int, bytes: Int
  ) throws -> SQLResult

  /// Returns the plan of a SELECT of a user, without running it.
  func plan(of sql: String) throws -> [PlanStep]

  /// Returns the content of an asset; nil if it does not exist.
  ///
  /// - Parameter name: the value of the column of the asset.
  func asset(named name: String) throws -> StoredAsset?

  /// Returns a number that differs after each commit, also of other processes.
  func commitCounter() throws -> Int64
}

extension DatabaseReading {
  /// Returns the values of an object, in the order of the type's columns; nil if there is no such row.
  package func row(_ rowID: Int64, of type: InspectedType) throws -> InspectedRow? {
    try rows(of: type, [rowID]).first
  }

  /// Returns rows by their row IDs, in the given order. Rows that do not exist are left out.
  package func rows(of type: InspectedType, _ rowIDs: [Int64]) throws -> [InspectedRow] {
    let sql = """
      SELECT \(columnList(of: type)) FROM \(type.table.quoted) \
      WHERE \(InspectedType.rowIDColumn) = ?
      """
    var found: [InspectedRow] = []
    for rowID in rowIDs {
      try forEachRow(sql, [.init(.integer(rowID))], of: type, isScored: false) { found.append($0) }
    }
    return found
  }

  /// Counts the rows of a type that meet all conditions, for a limited time.
  package func count(
    of type: InspectedType, filters: [RowFilter] = [], search: RowSearch? = nil,
    within duration: Duration = .milliseconds(200)
  ) throws -> RowCount {
    let table = type.table.quoted
    let request = RowRequest(filters: filters, search: search)
    do {
      return try limited(to: duration) {
        let condition = RowRequest.condition(request.conditions(dialect))
        return .exact(try number("SELECT count(*) FROM \(table)\(condition)", request.values))
      }
    } catch let error as InspectionError where error.kind == .limit {
      // Row IDs begin at 1, except in a shared database. One statement with both functions would read
      // the whole table.
      let rowID = InspectedType.rowIDColumn
      return .atMost(
        try number(
          "SELECT (SELECT max(\(rowID)) FROM \(table)) - (SELECT min(\(rowID)) FROM \(table)) + 1"))
    }
  }

  /// Runs a SELECT of one number, and returns it; 0 for NULL.
  func number(_ sql: String, _ values: [InspectedValue] = []) throws -> Int {
    Int(try rows(sql, values, valuesUpTo: .max).first?.first?.integer ?? 0)
  }
}
