/// SQLite's storage classes, without NULL.
public enum MagicalStorageClass: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}
