/// The guarantee that a sync gives.
package enum FileDurability: Sendable {
  /// Files are not synced.
  case none
  /// The data is written before all data that is written later. On Linux this is the same as
  /// `full`.
  case ordered
  /// The data is on disk when the call returns.
  case full
}
