/// Malicious changes of the schema of a database.
enum HostileSchema {
  static let statements = [
    // Tables that are replaced by other schema objects.
    "ALTER TABLE Leaf RENAME TO Elsewhere; CREATE VIEW Leaf AS SELECT * FROM Elsewhere",
    "ALTER TABLE Leaf RENAME TO Elsewhere; CREATE VIEW Leaf AS SELECT * FROM Leaf",
    "DROP TABLE Leaf",
    "DROP TABLE Root; CREATE TABLE Root (z_index INTEGER PRIMARY KEY)",
    "DROP TABLE Scalar; CREATE VIRTUAL TABLE Scalar USING fts5(number, text)",
    "DROP TABLE \"magic_Root.list\"",
    "DROP TABLE \"magic_Root.group\"; CREATE TABLE \"magic_Root.group\" (owner, target)",
    "DROP TABLE \"magic_Root.names\"; CREATE TABLE \"magic_Root.names\" (owner, \"key\", target)",
    "DROP TABLE magic_catalogue",
    "DROP TABLE magic_format",
    "DROP TABLE magic_relationships",
    "DROP TABLE magic_assets",
    "DROP TABLE magic_asset_columns",
    "DROP TABLE magic_catalogue; CREATE VIEW magic_catalogue AS SELECT 1 AS table_name",
    "DROP TABLE magic_assets; CREATE TABLE magic_assets (name, uses)",
    // Names and root pages of other tables.
    "UPDATE sqlite_master SET name = 'leaf' WHERE name = 'Leaf'",
    "UPDATE sqlite_master SET rootpage = 2 WHERE name = 'Leaf'",
    "UPDATE sqlite_master SET rootpage = 0 WHERE name = 'Root'",
    "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'magic_assets'",
    "UPDATE sqlite_master SET rootpage = 99999999 WHERE name = 'Photo'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE Leaf (z_index INTEGER PRIMARY KEY)' "
      + "WHERE name = 'Leaf'",
    "UPDATE sqlite_master SET sql = replace(sql, 'WITHOUT ROWID', '') WHERE type = 'table'",
    "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'",
    "UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'BLOB') WHERE type = 'table'",
    "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER NOT NULL', 'REAL') WHERE type = 'table'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE' WHERE name = 'Root'",
    "UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', 'UNIQUE') WHERE name = 'Leaf'",
    "UPDATE sqlite_master SET type = 'view' WHERE name = 'Root'",
    "DELETE FROM sqlite_master WHERE type = 'trigger'",
    "DELETE FROM sqlite_master WHERE type = 'index'",
    "DELETE FROM sqlite_master WHERE name = 'Leaf'",
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master",
    // Triggers.
    "CREATE TRIGGER t AFTER INSERT ON Leaf BEGIN INSERT INTO Leaf (name) VALUES ('more'); END",
    "CREATE TRIGGER t AFTER UPDATE ON Leaf BEGIN DELETE FROM Leaf; END",
    "CREATE TRIGGER t BEFORE INSERT ON Leaf BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER t BEFORE INSERT ON Leaf BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
    "CREATE TRIGGER t BEFORE UPDATE ON Scalar BEGIN SELECT RAISE(FAIL, 'no'); END",
    "CREATE TRIGGER t AFTER DELETE ON Leaf BEGIN INSERT INTO Leaf (z_index, name) "
      + "VALUES (OLD.z_index, OLD.name); END",
    "CREATE TRIGGER t AFTER INSERT ON Leaf BEGIN UPDATE Leaf SET z_index = -z_index; END",
    "CREATE TRIGGER t AFTER INSERT ON Photo BEGIN UPDATE magic_assets SET uses = -1; END",
    "CREATE TRIGGER t AFTER UPDATE ON magic_catalogue BEGIN DELETE FROM magic_catalogue; END",
    "CREATE TRIGGER t AFTER INSERT ON Leaf BEGIN SELECT load_extension('x'); END",
    "CREATE TRIGGER t AFTER INSERT ON Leaf BEGIN SELECT writefile('x', 'y'); END",
    // Generated columns, indexes of expressions, and constraints.
    "CREATE INDEX i ON Leaf (abs(name))",
    "CREATE UNIQUE INDEX i ON \"magic_Root.list\" (target)",
    "CREATE UNIQUE INDEX i ON Leaf (length(name))",
    "ALTER TABLE Leaf ADD COLUMN extra NOT NULL DEFAULT 7",
    "ALTER TABLE Root ADD COLUMN extra REFERENCES Leaf (z_index)",
    "ALTER TABLE Scalar ADD COLUMN Extra GENERATED ALWAYS AS (text || 'x') VIRTUAL",
    "ALTER TABLE Leaf ADD COLUMN name2 CHECK (name2 IS NOT NULL) DEFAULT 1",
    "ALTER TABLE Leaf RENAME COLUMN name TO names",
    "ALTER TABLE Scalar DROP COLUMN note",
    // Numbers.
    "UPDATE Leaf SET z_index = 9223372036854775807 WHERE z_index = 4",
    "UPDATE Leaf SET z_index = -9223372036854775808 WHERE z_index = 3",
    "UPDATE Leaf SET z_index = 0 WHERE z_index = 2",
    "UPDATE Scalar SET number = 9223372036854775807 WHERE number = 1",
    "UPDATE magic_catalogue SET high_water = 9223372036854775807",
    "UPDATE magic_catalogue SET high_water = -1, primary_high_water = 9223372036854775807",
    "UPDATE magic_catalogue SET high_water = 'x', version = 'y'",
    "UPDATE magic_catalogue SET version = 9223372036854775807",
    "UPDATE magic_catalogue SET fingerprint = 'other'",
    "UPDATE magic_catalogue SET table_name = 'Leaf2' WHERE table_name = 'Leaf'",
    "UPDATE magic_catalogue SET type_name = 'Tree'",
    "UPDATE magic_format SET version = 9223372036854775807",
    "UPDATE magic_format SET version = 'x', database_id = x'00'",
    "DELETE FROM magic_format",
    "INSERT INTO magic_format SELECT * FROM magic_format",
    // Relationships.
    "UPDATE magic_relationships SET on_delete = 'cascade'",
    "UPDATE magic_relationships SET on_delete = 'else', kind = 'else'",
    "UPDATE magic_relationships SET target_table = 'Nowhere'",
    "UPDATE magic_relationships SET target_table = 'sqlite_master', on_delete = 'cascade'",
    "UPDATE magic_relationships SET target_table = 'magic_catalogue', on_delete = 'cascade'",
    "UPDATE magic_relationships SET owner_table = 'x\" y''z', property = '\"'",
    "UPDATE magic_relationships SET link_table = 'Leaf' WHERE link_table IS NOT NULL",
    "UPDATE magic_relationships SET kind = 'list', link_table = NULL",
    "DELETE FROM magic_relationships",
    // Links.
    "UPDATE \"magic_Root.list\" SET target = 77",
    "UPDATE \"magic_Root.list\" SET position = -9223372036854775808 WHERE position = 16777216",
    "UPDATE \"magic_Root.list\" SET position = 9223372036854775807 WHERE position = 16777216",
    "UPDATE \"magic_Root.list\" SET position = position / 16777216",
    "UPDATE \"magic_Root.names\" SET \"key\" = x'ff'",
    "UPDATE \"magic_Root.years\" SET \"key\" = 'x'",
    "UPDATE Root SET one = 77, maybe = 'x'",
    "UPDATE Root SET up = z_index",
    "UPDATE Leaf SET next = z_index",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
      + "INSERT INTO Leaf (z_index, name, next) SELECT 100 + i, 'n', 99 + i FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
      + "INSERT INTO Root (z_index, name, one, up) SELECT 100 + i, i, 1, 99 + i FROM n",
    // Files.
    "UPDATE Photo SET image = '../../outside'",
    "UPDATE Photo SET image = '/etc/hostname', caption = '..'",
    "UPDATE magic_assets SET name = '../../outside', uses = -1 WHERE rowid IN "
      + "(SELECT name FROM magic_assets LIMIT 1)",
    "INSERT INTO magic_assets VALUES ('../../outside', -1), ('../outside', 0), ('/outside', -1)",
    "INSERT INTO magic_assets VALUES ('00000000000000ba/../../../outside-26', -1), ('', -1)",
    "UPDATE magic_assets SET uses = 9223372036854775807",
    "UPDATE magic_assets SET uses = 'x'",
    "UPDATE magic_assets SET uses = -1",
    "DELETE FROM magic_assets",
    "UPDATE magic_asset_columns SET table_name = 'Nowhere'",
    "UPDATE magic_asset_columns SET table_name = 'sqlite_master', column_name = 'sql'",
    "INSERT INTO magic_asset_columns VALUES ('Leaf', 'name'), ('Scalar', 'data')",
    "DELETE FROM magic_asset_columns",
    "PRAGMA user_version = 2147483647; PRAGMA application_id = -1",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA journal_mode = DELETE; PRAGMA encoding = 'UTF-16'; VACUUM",
    "PRAGMA auto_vacuum = 1; VACUUM",
  ]

  /// Makes the changes of the schema that an input encodes, 16 at most.
  static func apply(_ input: inout ByteReader, to path: String) throws {
    let raw = try RawDatabase(path)
    defer { raw.close() }
    var count = 0
    while !input.isAtEnd, count < 16 {
      // A statement can make later ones fail.
      try? raw.execute(statements[input.number(below: statements.count)])
      count += 1
    }
  }
}
