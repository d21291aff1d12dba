import MagicSQLite

/// What other programs do to the books and their search index.
extension World {
  func addToTitles(_ suffix: String) throws {
    try change { try $0.execute("UPDATE Book SET title = title || '\(suffix)'") }
  }

  func dropSearchTrigger() throws {
    try change { try $0.execute("DROP TRIGGER IF EXISTS \"Book search change\"") }
  }

  private func change(_ body: (SQLiteConnection) throws -> Void) throws {
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    defer { connection.close() }
    try body(connection)
  }
}

extension Contents {
  func addingToTitles(_ suffix: String) -> Contents {
    var contents = self
    for number in contents.books.keys { contents.books[number]?.title += suffix }
    return contents
  }
}
