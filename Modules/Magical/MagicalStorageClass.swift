/// The storage classes of a column value other than NULL.
public enum MagicalStorageClass: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}
