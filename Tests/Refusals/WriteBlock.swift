// expected: 'write' has been renamed to 'transaction\(_:\)'
import Foundation
import MagicQuery

func write(_ database: some AsyncMagicDatabase, _ person: Person) async throws {
  try await database.write { try $0.update(person) }
}
