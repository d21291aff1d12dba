// expected: noasync|unavailable from asynchronous contexts
import MagicQuery

func save(_ person: Person, in store: ObjectStore) async throws { _ = try store.update(person) }
