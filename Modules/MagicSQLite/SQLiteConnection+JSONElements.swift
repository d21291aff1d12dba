import CMagicSQLite
package import MagicRuntime

/// A table-valued function of the elements of a JSON array, or of the values of a JSON object:
/// `magic_json_elements(json)`. It copies the JSON once and scans it once, so the time is proportional
/// to its size.
///
/// The table has a column for each `JSONKind`: the value of the element if it is of this kind, otherwise
/// NULL. A schema must not use it, because other programs do not have it.
extension SQLiteConnection {
  package static let jsonElements = "magic_json_elements"

  /// Returns the name of the column for a kind of values.
  package static func jsonElementColumn(_ kind: JSONKind) -> String { "\"kind\(kind.rawValue)\"" }

  func defineJSONElements() throws(SQLiteError) {
    let code = sqlite3_create_module_v2(
      try pointer(), Self.jsonElements, JSONElementTable.module, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

/// The virtual table of `magic_json_elements`. Its parameter is a hidden column.
private enum JSONElementTable {
  typealias Cursor = UnsafeMutablePointer<magic_sqlite3_json_cursor>

  private static let kinds: [JSONKind] = [.integer, .real, .bool, .text, .container]

  private static var declaration: String {
    let columns = kinds.map { SQLiteConnection.jsonElementColumn($0) }
    return "CREATE TABLE x (\(columns.joined(separator: ", ")), \"json\" HIDDEN)"
  }

  /// Never changed after its creation. Connections refer to it while they are open.
  nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
    var module = sqlite3_module()
    // Without xCreate, the table exists only as a function.
    module.xConnect = { connection, _, _, _, table, _ in connect(connection, table) }
    module.xBestIndex = { _, information in information.map { plan($0) } ?? SQLITE_ERROR }
    module.xDisconnect = { table in
      sqlite3_free(table)
      return SQLITE_OK
    }
    module.xOpen = { _, cursor in open(cursor) }
    module.xClose = { cursor in
      sqlite3_free(JSONElementTable.cursor(cursor).pointee.json)
      sqlite3_free(cursor)
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, count, values in
      start(JSONElementTable.cursor(cursor), count > 0 ? values?[0] : nil)
    }
    module.xNext = { cursor in
      let cursor = JSONElementTable.cursor(cursor)
      cursor.pointee.place = place(after: Int(cursor.pointee.place), cursor)
      return SQLITE_OK
    }
    module.xEof = { cursor in JSONElementTable.cursor(cursor).pointee.place < 0 ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      read(JSONElementTable.cursor(cursor), Int(column), context)
      return SQLITE_OK
    }
    module.xRowid = { cursor, rowID in
      rowID?.pointee = JSONElementTable.cursor(cursor).pointee.place
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return pointer
  }()

  private static func connect(
    _ connection: OpaquePointer?,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    let code = sqlite3_declare_vtab(connection, declaration)
    guard code == SQLITE_OK else { return code }
    _ = magic_sqlite3_make_direct_only(connection)
    guard let memory = sqlite3_malloc(Int32(MemoryLayout<sqlite3_vtab>.size)) else {
      return SQLITE_NOMEM
    }
    let made = memory.bindMemory(to: sqlite3_vtab.self, capacity: 1)
    made.initialize(to: sqlite3_vtab())
    table?.pointee = made
    return SQLITE_OK
  }

  /// Passes the JSON to the cursor. A plan in which it is not yet known is refused.
  private static func plan(_ information: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
    for index in 0..<Int(information.pointee.nConstraint) {
      let constraint = information.pointee.aConstraint[index]
      guard Int(constraint.iColumn) == kinds.count,
        Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
      else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      information.pointee.aConstraintUsage[index].argvIndex = 1
      information.pointee.aConstraintUsage[index].omit = 1
    }
    information.pointee.estimatedCost = 100
    information.pointee.estimatedRows = 100
    return SQLITE_OK
  }

  private static func open(
    _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    guard let memory = sqlite3_malloc(Int32(MemoryLayout<magic_sqlite3_json_cursor>.size)) else {
      return SQLITE_NOMEM
    }
    memory.bindMemory(to: magic_sqlite3_json_cursor.self, capacity: 1)
      .initialize(to: magic_sqlite3_json_cursor())
    cursor?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  /// Returns the cursor that ``open`` has created.
  private static func cursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Cursor {
    UnsafeMutableRawPointer(cursor.unsafelyUnwrapped)
      .assumingMemoryBound(to: magic_sqlite3_json_cursor.self)
  }

  private static func start(_ cursor: Cursor, _ value: OpaquePointer?) -> Int32 {
    sqlite3_free(cursor.pointee.json)
    (cursor.pointee.json, cursor.pointee.size, cursor.pointee.place) = (nil, 0, -1)
    let bytes = value.flatMap { sqlite3_value_blob($0) }
    let count = value.map { Int(sqlite3_value_bytes($0)) } ?? 0
    guard let bytes, count > 0 else { return SQLITE_OK }
    // Each step scans the beginning of the text, so it has no white space there.
    let space = UnsafeRawBufferPointer(start: bytes, count: count).prefix(
      while: JSONScanner.isSpace
    ).count
    let size = count - space
    guard size > 0 else { return SQLITE_OK }
    guard let copy = sqlite3_malloc64(sqlite3_uint64(size)) else { return SQLITE_NOMEM }
    copy.copyMemory(from: bytes + space, byteCount: size)
    cursor.pointee.json = copy.assumingMemoryBound(to: UInt8.self)
    cursor.pointee.size = sqlite3_int64(size)
    cursor.pointee.place = place(after: nil, cursor)
    return SQLITE_OK
  }

  private static func json(_ cursor: Cursor) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: cursor.pointee.json, count: Int(cursor.pointee.size))
  }

  private static func place(after place: Int?, _ cursor: Cursor) -> sqlite3_int64 {
    JSONScanner.element(after: place, in: json(cursor)).map { sqlite3_int64($0) } ?? -1
  }

  private static func read(_ cursor: Cursor, _ column: Int, _ context: OpaquePointer?) {
    guard let context, kinds.indices.contains(column),
      let element = JSONScanner.element(at: Int(cursor.pointee.place), in: json(cursor))
    else { return }
    SQLiteFunctionResult(context: context)
      .returnJSON(JSONValue(element).value(of: kinds[column]))
  }
}
