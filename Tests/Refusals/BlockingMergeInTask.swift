// expected: noasync|unavailable from asynchronous contexts
import MagicQuery

func merge(_ person: Person, in store: MagicObjectStore) async throws {
  _ = try store.merge(person)
}
