import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import SQLiteStore
import Testing

/// Without assets.
struct Plain: MagicObject {
  @MagicValue var text: String = "a"

  init() {}
}

/// Expects an error with a code.
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: MagicError.self, sourceLocation: location) { try body() }
  #expect(error?.code == code, sourceLocation: location)
}
