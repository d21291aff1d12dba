package import Magical

/// A value that leads to objects: an object, or an array, dictionary or ``MagicalSet`` of objects.
///
/// Types outside this package do not conform to it.
public protocol MagicalRelation: SendableMetatype {}

extension Array: MagicalRelation where Element: MagicObject {}
extension Dictionary: MagicalRelation where Value: MagicObject {}
extension Set: MagicalRelation where Element: MagicObject {}

/// How a collection's members are told apart.
package enum LinkKind: String, Sendable {
  /// By their place; one may be there twice.
  case list
  /// By themselves.
  case set
  /// By a key.
  case dictionary
}

/// A collection of objects, which is stored as links between rows.
package protocol ObjectCollection: Magical, MagicalRelation, Sendable {
  associatedtype Member: MagicObject

  static var linkKind: LinkKind { get }

  /// Room for the keys of members; nil where they have none.
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
