// expected: has no member 'all'|requires
import Foundation
import MagicQuery

func all() throws { _ = try MagicQuery(Person.self).all() }
