// expected: noasync|unavailable from asynchronous contexts
import MagicData

func get(_ store: MagicObjectStore, _ people: AsyncMagical<[Person]>) async throws -> [Person] {
  try people.get(in: store)
}
