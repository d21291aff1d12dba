// expected: 'save' has been renamed to 'update\(contentsOf:\)'
import Foundation
import MagicQuery

func save(_ database: some AsyncMagicDatabase, _ people: [Person]) async throws {
  try await database.save(people)
}
