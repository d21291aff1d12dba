package import Magical

/// A collection of objects, which is stored as rows of a join table.
package protocol ObjectCollection: Magical, MagicalRelation, Sendable {
  associatedtype Member: MagicObject

  static var linkKind: LinkKind { get }

  /// Returns an empty list for the keys of the members; nil if the members have no keys.
  static func makeKeys() -> (any LinkKeys)?

  /// Creates the collection from fetched members. The keys of the members begin at index `start` of
  /// `keys`.
  init(members: [Member], keys: (any LinkKeys)?, start: Int)

  /// The members in the order of the collection, and their keys in the same order.
  var membersAndKeys: (members: [Member], keys: (any LinkKeys)?) { get }

  /// Sets or removes the member of a key of a dictionary: the only one of the list. Does nothing in
  /// other collections.
  mutating func setMember(_ member: Member?, forKey key: any LinkKeys)

  /// Removes the members that are no longer saved objects.
  mutating func drop(_ isDeleted: (Member) -> Bool)
}

extension ObjectCollection {
  package static func makeKeys() -> (any LinkKeys)? { nil }

  package mutating func setMember(_ member: Member?, forKey key: any LinkKeys) {}
}

extension Array: MagicalRelation where Element: MagicObject {}
extension Dictionary: MagicalRelation where Value: MagicObject {}
extension Set: MagicalRelation where Element: MagicObject {}
