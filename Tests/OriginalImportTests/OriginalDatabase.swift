import Foundation
import MagicSQLite
import MagicTestSupport

/// A database that the original MagicData has written, in a directory of its own, with an asset next to it.
struct OriginalDatabase {
  static let ids = [
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0B0B0B0B-C36C-495A-93FC-0C247A3E6E5F",
  ]

  /// The tables in the form of the original library, with the rows that it writes.
  static let content = """
    CREATE TABLE "0Table_Info" ("table_name" TEXT PRIMARY KEY NOT NULL, "version" INTEGER NOT NULL,
      "z_index_count" INTEGER NOT NULL, "structure" BLOB NOT NULL, "updating" INTEGER NOT NULL);
    INSERT INTO "0Table_Info" VALUES ('Artist', 0, 3, x'5b5d', 0), ('Song', 0, 5, x'5b5d', 0),
      ('List', 0, 2, x'5b5d', 0), ('Unused', 0, 0, x'5b5d', 0);
    CREATE TABLE "Artist" ("_id" TEXT PRIMARY KEY NOT NULL, "_name" TEXT NOT NULL, "_label" BLOB,
      "z_index" INTEGER NOT NULL UNIQUE);
    INSERT INTO "Artist" VALUES ('\(ids[0])', 'Ada', x'00ff', 0), ('\(ids[1])', 'Zoë', NULL, 2);
    CREATE TABLE "Song" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "_title" TEXT NOT NULL,
      "_length" REAL NOT NULL, "_words" BLOB NOT NULL, "_artist" INTEGER, "_lyrics" TEXT,
      "z_index" INTEGER NOT NULL UNIQUE);
    INSERT INTO "Song" VALUES
      (7, 'One', 1.5, CAST('["a","b"]' AS BLOB), 0, '/old/place/Documents/lyrics-1.txt', 4),
      (9, 'Two', -0.25, CAST('[]' AS BLOB), 1, NULL, 0);
    CREATE TABLE "List" ("_name" TEXT PRIMARY KEY NOT NULL, "_entries" BLOB NOT NULL,
      "_artists" BLOB NOT NULL, "_byRank" BLOB NOT NULL, "_byNick" BLOB NOT NULL,
      "z_index" INTEGER NOT NULL UNIQUE);
    INSERT INTO "List" VALUES ('Best', CAST('[4,0,3,4]' AS BLOB), CAST('[2,0,2]' AS BLOB),
      CAST('{"2":0,"1":4,"9":99}' AS BLOB), CAST('{"z":2}' AS BLOB), 1);
    """

  let directory: TemporaryDirectory
  /// The path of the database.
  let old: String

  init() throws {
    directory = try TemporaryDirectory()
    old = directory.file("default.sqlite3").path
    let connection = try SQLiteConnection(path: old)
    try connection.execute("PRAGMA journal_mode = DELETE")
    try connection.execute(Self.content)
    connection.close()
    try Data("la la".utf8).write(to: directory.file("lyrics-1.txt"))
  }

  func change(_ sql: String) throws {
    let connection = try SQLiteConnection(path: old)
    defer { connection.close() }
    try connection.execute(sql)
  }
}
