extension AsyncMagicDatabase {
  /// Gives the database a range of row IDs of its own, so that rows can be exchanged with copies of
  /// it on other devices.
  ///
  /// ```swift
  /// try await magic.prepareForSharing()
  /// ```
  ///
  /// On each device that gets a copy of the file, and after a backup was restored, call it with
  /// `asCopy: true`.
  ///
  /// The row IDs of a new database count from 1. Two copies of a file therefore give the same row
  /// ID to different new objects, and the same position to different members of a list. After this
  /// call, the upper 31 bits of each new row ID are a random number, and the lower 32 bits count
  /// the rows that this database creates; the positions of list members contain the number too. An
  /// exchange of rows then finds no two objects under one row ID. Integer primaries count as before,
  /// except those that are the row ID.
  ///
  /// The first call changes the row IDs of all existing rows, in one transaction. Objects that were
  /// fetched or saved before refer to row IDs that no longer exist: fetch them again. Row IDs that
  /// a program has stored outside of relationships are not changed. Larger row IDs make rows about
  /// 7 % larger and join tables about 60 %.
  ///
  /// - Parameter asCopy: whether this file is a copy of a database that was prepared. It gets a new
  ///   number, and its rows keep their row IDs. Default: false, which does nothing if the database
  ///   was prepared already.
  /// - Throws: `MagicError`, with `.idsExhausted` if a row ID is not between 1 and 2³² − 1;
  ///   `CancellationError`. Nothing is changed then.
  /// - Complexity: O(n log n) in the number of rows and join rows. O(1) for a copy.
  public func prepareForSharing(asCopy: Bool = false) async throws {
    try await _store.store.maintaining { try $0.prepareForSharing(isCopy: asCopy, $1) }
  }
}

extension MagicObjectStore {
  /// Like the asynchronous `prepareForSharing(asCopy:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func prepareForSharing(asCopy: Bool = false) throws {
    try maintainingBlocking { try $0.prepareForSharing(isCopy: asCopy, $1) }
  }
}
