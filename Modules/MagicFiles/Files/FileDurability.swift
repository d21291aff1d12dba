/// How far what is synced must have come.
package enum FileDurability: Sendable {
  /// Nothing is synced.
  case none
  /// It is written before anything that is written later; on Linux the same as `full`.
  case ordered
  /// It is on the disk.
  case full
}
