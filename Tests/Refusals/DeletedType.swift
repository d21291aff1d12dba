// expected: 'deleteAll' has been renamed to 'removeAll\(of:\)'
import Foundation
import MagicQuery

func delete(_ store: MagicObjectStore) throws { try store.deleteAll(Person.self) }
