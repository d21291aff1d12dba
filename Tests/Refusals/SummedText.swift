// expected: (String|MagicField<String>)' conform to 'MagicalNumeric'
import Foundation
import MagicQuery

func sum(_ store: MagicObjectStore) throws { _ = try store.query(Person.self).sum(\.$name) }
