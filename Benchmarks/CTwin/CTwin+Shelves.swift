import CMagicSQLite
import Workloads

/// Dictionaries and a tree.
extension CTwin {
  static let shelfTables = """
    CREATE TABLE shelf (z_index INTEGER PRIMARY KEY, room TEXT NOT NULL);
    CREATE TABLE book (z_index INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER NOT NULL);
    \(joinTable("shelf_book", from: "shelf", by: "key TEXT", to: "book"))
    """

  static let folderTables = """
    CREATE TABLE folder (z_index INTEGER PRIMARY KEY, name TEXT NOT NULL);
    \(joinTable("subfolder", from: "folder", by: "position INTEGER", to: "folder"))
    """

  func insertShelves(_ shelves: [PlainShelf]) throws {
    try execute("BEGIN IMMEDIATE")
    let shelfStatement = try prepare("INSERT INTO shelf (room) VALUES (?)")
    let bookStatement = try prepare("INSERT INTO book (title, pages) VALUES (?, ?)")
    let linkStatement = try prepare("INSERT INTO shelf_book (owner, key, target) VALUES (?, ?, ?)")
    defer { for each in [shelfStatement, bookStatement, linkStatement] { sqlite3_finalize(each) } }
    for shelf in shelves {
      let owner = try insert(shelf.room, shelfStatement)
      for book in shelf.books {
        sqlite3_bind_int64(bookStatement, 2, Int64(book.pages))
        let target = try insert(book.title, bookStatement)
        sqlite3_bind_int64(linkStatement, 1, owner)
        sqlite3_bind_int64(linkStatement, 3, target)
        var key = book.key
        try key.withUTF8 {
          bind($0, linkStatement, 2)
          try finish(linkStatement)
        }
      }
    }
    try execute("COMMIT")
  }

  /// A scan of each table. A join of books and their join rows takes longer.
  func fetchShelves() throws -> Checksum {
    let bookStatement = try prepare("SELECT z_index, title, pages FROM book ORDER BY z_index")
    let shelfStatement = try prepare("SELECT z_index, room FROM shelf ORDER BY z_index")
    let linkStatement = try prepare(
      "SELECT owner, key, target FROM shelf_book ORDER BY owner, key")
    defer { for each in [bookStatement, shelfStatement, linkStatement] { sqlite3_finalize(each) } }
    var (books, places) = ([FetchedBook](), [Int32]())
    while try step(bookStatement) {
      let row = Int(sqlite3_column_int64(bookStatement, 0))
      while places.count <= row { places.append(0) }
      places[row] = Int32(books.count)
      books.append(
        FetchedBook(
          title: text(bookStatement, 1), pages: Int(sqlite3_column_int64(bookStatement, 2))))
    }
    var (shelves, owners) = ([FetchedShelf](), [Int64]())
    while try step(shelfStatement) {
      owners.append(sqlite3_column_int64(shelfStatement, 0))
      var shelf = FetchedShelf(room: text(shelfStatement, 1))
      shelf.books.reserveCapacity(PlainShelf.size)
      shelves.append(shelf)
    }
    var next = 0
    while try step(linkStatement) {
      let owner = sqlite3_column_int64(linkStatement, 0)
      while owners[next] != owner { next += 1 }
      let book = books[Int(places[Int(sqlite3_column_int64(linkStatement, 2))])]
      shelves[next].books[text(linkStatement, 1)] = book
    }
    var checksum = Checksum()
    for shelf in shelves {
      checksum.add(shelf.room.utf8.count)
      for (key, book) in shelf.books {
        checksum.add(key: key, title: book.title, pages: book.pages)
      }
    }
    return checksum
  }

  func insertTree(_ tree: PlainTree) throws {
    try execute("BEGIN IMMEDIATE")
    let folderStatement = try prepare("INSERT INTO folder (name) VALUES (?)")
    let linkStatement = try prepare(
      "INSERT INTO subfolder (owner, position, target) VALUES (?, ?, ?)")
    defer { for each in [folderStatement, linkStatement] { sqlite3_finalize(each) } }
    for name in tree.names { _ = try insert(name, folderStatement) }
    for owner in tree.names.indices {
      for (position, target) in tree.children(of: owner).enumerated() {
        sqlite3_bind_int64(linkStatement, 1, Int64(owner + 1))
        sqlite3_bind_int64(linkStatement, 2, Int64(position))
        sqlite3_bind_int64(linkStatement, 3, Int64(target + 1))
        try finish(linkStatement)
      }
    }
    try execute("COMMIT")
  }

  func fetchTree() throws -> Checksum {
    let statement = try prepare(
      """
      SELECT length(name) + ifnull((SELECT sum(length(child.name)) FROM subfolder
        JOIN folder AS child ON child.z_index = target WHERE owner = folder.z_index), 0)
      FROM folder
      """)
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    while try step(statement) { checksum.add(Int(sqlite3_column_int64(statement, 0))) }
    return checksum
  }

  /// Inserts a row with a text in its first column, and returns its row ID.
  @inline(__always)
  private func insert(_ text: String, _ statement: OpaquePointer) throws -> Int64 {
    var text = text
    try text.withUTF8 {
      bind($0, statement, 1)
      try finish(statement)
    }
    return sqlite3_last_insert_rowid(database)
  }
}

private struct FetchedShelf {
  var room: String
  var books: [String: FetchedBook] = [:]
}

private struct FetchedBook {
  var title: String
  var pages: Int
}
