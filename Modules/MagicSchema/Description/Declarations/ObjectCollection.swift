package import Magical

/// A collection of objects, which is stored as links between rows.
package protocol ObjectCollection: Magical, MagicalRelation, Sendable {
  associatedtype Member: MagicObject

  static var linkKind: LinkKind { get }

  /// An empty list for the keys of members; nil where they have none.
  static func makeKeys() -> (any LinkKeys)?

  /// The collection with members as they were fetched, and the keys of so many from `start` on.
  init(members: [Member], keys: (any LinkKeys)?, start: Int)

  /// The members in an order of the collection's, and their keys in the same one.
  var membersAndKeys: (members: [Member], keys: (any LinkKeys)?) { get }

  /// Leaves out members that are no objects of a database any more.
  mutating func drop(_ isGone: (Member) -> Bool)
}

extension ObjectCollection {
  package static func makeKeys() -> (any LinkKeys)? { nil }
}

extension Array: MagicalRelation where Element: MagicObject {}
extension Dictionary: MagicalRelation where Value: MagicObject {}
extension Set: MagicalRelation where Element: MagicObject {}
