// expected: noasync|unavailable from asynchronous contexts
import MagicQuery

func save(_ person: Person, in store: MagicObjectStore) async throws {
  _ = try store.update(person)
}
