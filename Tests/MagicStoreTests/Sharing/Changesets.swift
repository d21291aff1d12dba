import CMagicSQLite
import Foundation
import MagicSQLite
import MagicTestSupport

/// Changes between two states of a file, as SQLite's session extension encodes them. The functions
/// are looked up at run time, because an SQLite may be built without the extension.
struct Changesets {
  private typealias Create =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32
  private typealias Attach = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32
  private typealias Diff =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32
  private typealias Encode =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32
  private typealias Delete = @convention(c) (OpaquePointer?) -> Void
  private typealias Filter =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32
  private typealias Conflict =
    @convention(c) (UnsafeMutableRawPointer?, Int32, OpaquePointer?) -> Int32
  private typealias Apply =
    @convention(c) (
      OpaquePointer?, Int32, UnsafeMutableRawPointer?, Filter?, Conflict?, UnsafeMutableRawPointer?
    ) -> Int32

  private let create: Create
  private let attach: Attach
  private let diff: Diff
  private let encode: Encode
  private let delete: Delete
  private let apply: Apply

  /// Nil without the extension.
  init?() {
    let process = dlopen(nil, RTLD_NOW)
    func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
      dlsym(process, name).map { unsafeBitCast($0, to: type) }
    }
    guard let create = find("sqlite3session_create", Create.self),
      let attach = find("sqlite3session_attach", Attach.self),
      let diff = find("sqlite3session_diff", Diff.self),
      let encode = find("sqlite3session_changeset", Encode.self),
      let delete = find("sqlite3session_delete", Delete.self),
      let apply = find("sqlite3changeset_apply", Apply.self)
    else { return nil }
    (self.create, self.attach, self.diff) = (create, attach, diff)
    (self.encode, self.delete, self.apply) = (encode, delete, apply)
  }

  struct Failure: Error {
    let code: Int32
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  private func withDatabase<Result>(
    _ path: String, _ body: (OpaquePointer?) throws -> Result
  ) throws -> Result {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil))
    try check(sqlite3_exec(database, "PRAGMA foreign_keys = ON", nil, nil, nil))
    return try body(database)
  }

  /// Returns the changes of some tables from one file to another.
  func changes(from before: String, to after: String, tables: [String]) throws -> Data {
    try withDatabase(after) { database in
      let attachment = "ATTACH '\(before)' AS before"
      try check(sqlite3_exec(database, attachment, nil, nil, nil))
      var session: OpaquePointer?
      try check(create(database, "main", &session))
      defer { delete(session) }
      for table in tables {
        try check(attach(session, table))
        try check(diff(session, "before", table, nil))
      }
      var count: Int32 = 0
      var bytes: UnsafeMutableRawPointer?
      defer { sqlite3_free(bytes) }
      try check(encode(session, &count, &bytes))
      return Data(bytes: bytes!, count: Int(count))
    }
  }

  /// Applies changes to a file, without those that conflict.
  ///
  /// - Returns: the number of conflicts.
  func apply(_ changes: Data, to path: String) throws -> Int {
    try withDatabase(path) { database in
      var conflicts = 0
      var changes = changes
      try changes.withUnsafeMutableBytes { bytes in
        try withUnsafeMutablePointer(to: &conflicts) { conflicts in
          let omit: Conflict = { count, _, _ in
            count!.assumingMemoryBound(to: Int.self).pointee += 1
            return 0  // SQLITE_CHANGESET_OMIT
          }
          try check(
            apply(database, Int32(bytes.count), bytes.baseAddress, nil, omit, conflicts))
        }
      }
      return conflicts
    }
  }
}
