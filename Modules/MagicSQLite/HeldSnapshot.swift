import CMagicSQLite

/// The state of a connection that holds its snapshot between reads.
final class HeldSnapshot {
  /// What is known about the index of the write-ahead log.
  enum Index {
    /// The connection has not read yet. Many connections read only once.
    case unused
    case unknown
    case absent
    case found(UnsafeRawPointer)
  }

  @exclusivity(unchecked) var index = Index.unused
  /// The address of the index; nil unless it is found.
  @exclusivity(unchecked) var address: UnsafeRawPointer?
  /// The state of the log at a time before the snapshot was taken.
  @exclusivity(unchecked) private var state = magic_sqlite3_log_state()
  /// When the state was noted, in nanoseconds; nil if it is invalid.
  @exclusivity(unchecked) private var time: UInt64?
  /// The turn in which the snapshot was taken.
  @exclusivity(unchecked) var turn: UInt32 = 0
  /// The longest time between the two reads that make the connection hold a snapshot, in
  /// nanoseconds.
  private let maximumPause: UInt64

  init(maximumPause: UInt64) { self.maximumPause = maximumPause }

  /// Whether no connection has committed, and no checkpoint has copied frames, since the state was
  /// noted.
  @inline(__always)
  func isCurrent(_ address: UnsafeRawPointer) -> Bool {
    magic_sqlite3_has_log_state(address, &state)
  }

  /// Whether to hold a snapshot from now on.
  func mayBegin(_ address: UnsafeRawPointer, at now: UInt64) -> Bool {
    guard let time, now &- time < maximumPause else { return false }
    return isCurrent(address)
  }

  /// Notes the state of the log. While many frames wait for a checkpoint, no snapshot is held: a
  /// checkpoint copies no frames that a snapshot does not contain, so readers that always hold one
  /// would let the log grow.
  func note(_ address: UnsafeRawPointer, at now: UInt64) {
    let isValid = magic_sqlite3_load_log_state(address, &state)
    time = isValid && magic_sqlite3_uncopied_frames(&state) <= Self.maximumFrames ? now : nil
  }

  /// SQLite begins checkpoints at half of it, and the library restarts the log at the double.
  static let maximumFrames = 2_000

  /// Makes the next read the first one of a sequence.
  func forget() { time = nil }
}
