/// How a value is stored: the storage classes of a column, without NULL.
public enum MagicalStorageClass: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}
