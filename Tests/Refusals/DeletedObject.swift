// expected: 'delete' has been renamed to 'remove\(_:\)'
import Foundation
import MagicQuery

func delete(_ database: some AsyncMagicDatabase, _ person: Person) async throws {
  try await database.delete(person)
}
