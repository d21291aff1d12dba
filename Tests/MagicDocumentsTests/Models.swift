import Foundation
import MagicAssets
import MagicData

/// A type with each kind of relationship, to itself and to a type without a primary.
final class Node: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var id: String
  @MagicValue(.named(json: "label")) var name: String = ""
  @MagicValue var weight: Double = 0
  @OptionMagicValue var next: Node?
  @MagicValue var list: [Node] = []
  @MagicValue var set: MagicalSet<Node> = []
  @MagicValue var named: [String: Leaf] = [:]
  @MagicValue var numbered: [Int: Leaf] = [:]
  @MagicValue var measured: [Double: Leaf] = [:]
  @OptionMagicValue var lazyNext: AsyncMagical<Node>?
  @MagicValue var lazyLeaves: AsyncMagical<[Leaf]> = .init(value: [])
  @OptionMagicValue var picture: MagicAsset<Data>?
  @ReverseMagicValue(\Node.$list) var owners: AsyncReverseMagicSet<Node>

  init() {}
  init(_ id: String, name: String = "") { (self.id, self.name) = (id, name) }
}

/// A type without a primary.
struct Leaf: MagicObject {
  @MagicValue var text: String
  @OptionMagicValue var twin: Node?

  init() {}
  init(_ text: String) { self.text = text }
}

/// A type whose primary the database assigns.
struct Numbered: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String
  @OptionMagicValue var other: Leaf?
  @MagicVersion var version: Int

  init() {}
  init(_ text: String) { self.text = text }
}

enum Rank: Int, Magical, CaseIterable { case low, high }

struct Job: MagicalCodable, Equatable {
  var title: String
  var since: Date
}

struct Values: MagicObject {
  @PrimaryMagicValue var id: MagicUUID
  @MagicValue var text: String
  @MagicValue var int: Int = 0
  @MagicValue var small: UInt8 = 0
  @MagicValue var isOn: Bool = false
  @MagicValue var real: Double = 0
  @MagicValue var single: Float = 0
  @MagicValue var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  @MagicValue var data: Data = Data()
  @MagicValue var bytes: [UInt8] = []
  @MagicValue var uuid: UUID = UUID()
  @MagicValue var url: URL = URL(fileURLWithPath: "/a")
  @MagicValue var decimal: Decimal = 0
  @MagicValue var rank: Rank = .low
  @MagicValue var job: Job = Job(title: "", since: Date(timeIntervalSinceReferenceDate: 0))
  @MagicValue var tags: [String] = []
  @MagicValue var numbers: Set<Int> = []
  @MagicValue var sizes: [String: Double] = [:]
  @OptionMagicValue var note: String?

  init() {}
}
