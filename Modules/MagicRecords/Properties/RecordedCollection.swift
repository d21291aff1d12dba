import MagicRelations
import MagicSchema
import Magical

/// A collection of objects as the identifiers of its members.
protocol RecordedCollection: ObjectCollection {
  associatedtype Identifiers: Codable & Hashable

  var identifiers: Identifiers { get }

  /// Returns decoded identifiers in the order in which `identifiers` has them.
  static func normalized(_ identifiers: Identifiers) -> Identifiers

  init(identifiers: Identifiers, member: (MagicID<Member>) throws -> Member) throws

  /// The identifiers in a list, and the keys of a dictionary as texts in the same order.
  static func members(
    of identifiers: Identifiers
  ) throws -> (members: [MagicID<Member>], keys: [String]?)

  /// Returns the identifiers that lists of members and keys contain.
  static func identifiers(_ members: [MagicID<Member>], keys: [String]?) throws -> Identifiers
}

extension RecordedCollection {
  static func normalized(_ identifiers: Identifiers) -> Identifiers { identifiers }
}

extension Array: RecordedCollection where Element: MagicObject {
  var identifiers: [MagicID<Element>] { map(\.magicID) }

  init(
    identifiers: [MagicID<Element>], member: (MagicID<Element>) throws -> Element
  ) throws { self = try identifiers.map(member) }
}

extension MagicalSet: RecordedCollection {
  /// Sorted, so that equal sets have equal records and the same JSON.
  var identifiers: [MagicID<Element>] { Self.normalized(map(\.magicID)) }

  static func normalized(_ identifiers: [MagicID<Element>]) -> [MagicID<Element>] {
    Array(Set(identifiers)).sorted { $0.key < $1.key }
  }

  init(
    identifiers: [MagicID<Element>], member: (MagicID<Element>) throws -> Element
  ) throws { self.init(try identifiers.map(member)) }
}

extension Dictionary: RecordedCollection
where Key: Codable, Value: MagicObject {
  var identifiers: [Key: MagicID<Value>] { mapValues(\.magicID) }

  init(
    identifiers: [Key: MagicID<Value>], member: (MagicID<Value>) throws -> Value
  ) throws { self = try identifiers.mapValues(member) }
}
