import MagicSQLite

/// A file whose names and values try to leave their place in a page.
public enum Hostile {
  /// A text that would run as a script of a page.
  public static let script = "<script>alert(1)</script>"

  /// Creates the file.
  public static func create(_ path: String) throws {
    let connection = try SQLiteConnection(path: path)
    try connection.execute(
      library(
        """
        name TEXT, large TEXT, bytes BLOB, "<b>" TEXT, "x"" onmouseover=""alert(1)" TEXT,
        "\u{202E}gnirts" TEXT, flag INTEGER
        """,
        properties: [
          ("name", "text"), ("large", "text"), ("bytes", "json"), ("<b>", "text"),
          ("x\" onmouseover=\"alert(1)", "text"), ("flag", "bool"),
        ]))
    try connection.execute(
      """
      INSERT INTO Item VALUES (1, '\(script)', replace(hex(zeroblob(500000)), '00', 'ab'),
        CAST('{"\(script)":["\(script)",1]}' AS BLOB), '"><img src=x onerror=alert(1)>',
        'javascript:alert(1)', char(0x202E) || 'abc' || char(0) || char(7), 'maybe');
      INSERT INTO Item (z_index, name) VALUES (2, '\(script)'), (3, '\(script)');
      CREATE TABLE "<i onclick='alert(1)'>" (z_index INTEGER PRIMARY KEY, value TEXT);
      INSERT INTO magic_catalogue (table_name, type_name, fingerprint)
        VALUES ('<i onclick=''alert(1)''>', '\(script)', '');
      CREATE TABLE "\(script)" (value);
      """)
    connection.close()
  }
}
