// expected: noasync|unavailable from asynchronous contexts
import Foundation
import MagicQuery

func count(_ store: MagicObjectStore) async throws -> Int { try store.query(Person.self).count() }
