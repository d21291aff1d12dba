// expected: 'save' has been renamed to 'update\(_:\)'
import Foundation
import MagicQuery

func save(_ store: MagicObjectStore, _ person: Person) throws { try store.save(person) }
