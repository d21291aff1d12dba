// expected: conform to 'MagicObject'
import Foundation
import MagicQuery

func merge(_ database: some AsyncMagicDatabase, _ person: Person) async throws {
  try await database.merge(person, 7)
}
