/// What SQLite asks of its file system.
package enum DiskCall: Hashable, Sendable, CaseIterable {
  case open, read, write, sync, truncate, delete, lock, size, access, map
}
