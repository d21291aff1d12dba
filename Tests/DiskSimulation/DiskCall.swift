/// The calls that SQLite makes to its file system.
package enum DiskCall: Hashable, Sendable, CaseIterable {
  case open, read, write, sync, truncate, delete, lock, size, access, map
  /// A write after the end of a file, which needs space on the disk. It is also a `write`, and is
  /// counted only while faults of this kind are set: it is not a separate step.
  case grow
}
