import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

extension Scratch {
  /// Opens the database for the duration of the body.
  @discardableResult
  func using<Result: Sendable>(
    _ options: MagicOptions = .init(), _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    let magic = try await MagicData(path: file(), options: options)
    do {
      let result = try await body(magic)
      await magic.close()
      return result
    } catch {
      await magic.close()
      throw error
    }
  }

  /// The bytes of a table's first page, as offsets in the file.
  func firstPage(of table: String) throws -> Range<Int> {
    let connection = try raw()
    defer { connection.close() }
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
    let size = Int(try #require(try connection.integer("PRAGMA page_size")))
    let start = (Int(try #require(page)) - 1) * size
    return start..<start + size
  }

  /// Expects that the file cannot be opened, in either way, and that nothing in the directory
  /// changes.
  func expectRefusal(
    _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation
  ) async {
    let before = contentsWithoutEmptyLogs
    for readOnly in [false, true] {
      await expect(code, at: location) {
        await (try MagicData(path: file(), options: MagicOptions(readOnly: readOnly))).close()
      }
      #expect(
        contentsWithoutEmptyLogs == before, "read-only: \(readOnly)", sourceLocation: location)
    }
  }
}

/// Expects an error with a code.
@discardableResult
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> MagicError? {
  let error = await #expect(throws: MagicError.self, sourceLocation: location) {
    try await body()
  }
  #expect(error?.code == code, "\(error as Any)", sourceLocation: location)
  return error
}

/// Every call that writes a note.
func writes(of magic: MagicData) -> [@Sendable () async throws -> Void] {
  [
    { try await magic.update(Note("new")) },
    { try await magic.update(contentsOf: [Note("new")]) },
    { try await magic.removeAll(of: Note.self) },
    { try await magic.transaction { _ = try $0.update(Note("new")) } },
    { try await magic.query(Note.self).update(set: \.$text, to: "new") },
    { try await magic.query(Note.self).delete() },
    { try await magic.sql("UPDATE Note SET stars = 1").run() },
  ]
}
