/// The calls that SQLite makes to its file system.
package enum DiskCall: Hashable, Sendable, CaseIterable {
  case open, read, write, sync, truncate, delete, lock, size, access, map
}
