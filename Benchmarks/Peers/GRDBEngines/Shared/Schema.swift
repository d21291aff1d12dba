internal import Workloads

/// The tables, types and indexes of the C twin.
///
/// Nothing refers to people and residents, so their primary key is their ID, which GRDB's record
/// methods support best. The file has the same structure: a table by row ID, and a unique index of
/// the ID.
enum Schema {
  static let sql = """
    CREATE TABLE person (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL,
      age INTEGER NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);

    CREATE TABLE resident (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL,
      age INTEGER NOT NULL, height NOT NULL, nickname TEXT, photo BLOB NOT NULL);
    CREATE INDEX resident_age ON resident (age);

    CREATE TABLE team (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      founded INTEGER NOT NULL);
    CREATE UNIQUE INDEX team_id ON team (id);
    CREATE TABLE member (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      age INTEGER NOT NULL, height NOT NULL, nickname TEXT);
    CREATE UNIQUE INDEX member_id ON member (id);
    CREATE TABLE link (
      owner INTEGER NOT NULL REFERENCES team (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      position INTEGER NOT NULL,
      target INTEGER NOT NULL REFERENCES member (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      PRIMARY KEY (owner, position)) WITHOUT ROWID;
    CREATE INDEX link_target ON link (target, owner);

    CREATE TABLE maintainer (z_index INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE UNIQUE INDEX maintainer_name ON maintainer (name);
    CREATE TABLE package (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      version TEXT NOT NULL, details TEXT NOT NULL, size INTEGER NOT NULL,
      maintainer INTEGER REFERENCES maintainer (z_index)
        ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED);
    CREATE UNIQUE INDEX package_id ON package (id);
    CREATE INDEX package_maintainer ON package (maintainer);
    CREATE TABLE need (
      owner INTEGER NOT NULL REFERENCES package (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      target INTEGER NOT NULL REFERENCES package (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      PRIMARY KEY (owner, target)) WITHOUT ROWID;
    CREATE INDEX need_target ON need (target, owner);

    CREATE TABLE parcel (z_index INTEGER PRIMARY KEY, key TEXT NOT NULL, state TEXT NOT NULL,
      size INTEGER NOT NULL, price TEXT NOT NULL, sent NOT NULL, is_fragile INTEGER NOT NULL,
      is_insured INTEGER NOT NULL);
    CREATE TABLE reading (z_index INTEGER PRIMARY KEY, number INTEGER NOT NULL, \(sensors));

    CREATE TABLE article (z_index INTEGER PRIMARY KEY, id INTEGER NOT NULL, title TEXT NOT NULL,
      body TEXT NOT NULL);
    CREATE UNIQUE INDEX article_id ON article (id);
    \(articleIndex(keepsAccents: false))
    """

  /// The columns of optional numbers.
  static let sensors = (0..<PlainReading.sensors).map { "s\($0)" }.joined(separator: ", ")

  /// Creates the full-text table of articles, which has no copy of the texts.
  static func articleIndex(keepsAccents: Bool) -> String {
    """
    CREATE VIRTUAL TABLE article_index USING fts5(c0, c1, content='',
      tokenize='unicode61 remove_diacritics \(keepsAccents ? 0 : 2)')
    """
  }
}
