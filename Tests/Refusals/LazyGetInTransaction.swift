// expected: cannot pass function of type .* async|'async' call in a function that does not support concurrency|invalid conversion from 'async'
import MagicData

func get(_ magic: MagicData, _ people: AsyncMagical<[Person]>) async throws {
  try await magic.transaction { transaction in
    _ = try await people.get()
  }
}
