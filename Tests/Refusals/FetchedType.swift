// expected: 'fetch' has been renamed to 'object\(of:\)'
import Foundation
import MagicQuery

func fetch(_ database: some AsyncMagicDatabase) async throws -> [Person] {
  try await database.fetch(Person.self)
}
