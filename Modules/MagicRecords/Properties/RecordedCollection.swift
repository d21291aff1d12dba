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

extension IdentifierKey: Comparable {
  static func < (left: IdentifierKey, right: IdentifierKey) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left < right
    case (.integer(let left), .integer(let right)), (.row(let left), .row(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    case (.unsaved(let left), .unsaved(let right)): left < right
    default: left.kind < right.kind
    }
  }

  private var kind: Int {
    switch self {
    case .text: 0
    case .integer: 1
    case .real: 2
    case .data: 3
    case .row: 4
    case .unsaved: 5
    }
  }
}
