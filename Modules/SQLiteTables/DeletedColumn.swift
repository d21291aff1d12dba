/// A column that is to be dropped. It is renamed first, and dropped when its table is rebuilt.
package enum DeletedColumn {
  /// The prefix of the names of the column and of an index on it.
  package static let prefix = "magic_deleted "
}
