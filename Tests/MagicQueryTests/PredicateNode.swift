import MagicQuery

struct PredicateNode: MagicObject {
  @OptionMagicValue var n: Int?
  @MagicValue var k: Int = 0
  @OptionMagicValue var r: Double?
  @OptionMagicValue var s: String?
  @MagicValue var b: Bool = false
  @OptionMagicValue var c: Bool?
  @OptionMagicValue var next: PredicateNode?
  @OptionMagicValue var other: PredicateNode?
  @MagicValue var sizes: [String: Int] = [:]
  @OptionMagicValue var notes: [String: String]?
  @MagicValue var list: [PredicateLeaf] = []
  @ReverseMagicValue(\PredicateLeaf.$up) var leaves: AsyncReverseMagicSet<PredicateLeaf>
  @ReverseMagicValue(\PredicateNode.$next) var before: AsyncReverseMagicSet<PredicateNode>

  init() {}
}

struct PredicateLeaf: MagicObject {
  @OptionMagicValue var n: Int?
  @OptionMagicValue var s: String?
  @OptionMagicValue var up: PredicateNode?

  init() {}
}

/// The same predicate for the database and for Swift.
struct Question<Model: MagicObject> {
  let name: String
  let predicate: (MagicRow<Model>) -> MagicPredicate<Model>
  let isTrue: (Model) -> Bool

  init(
    _ name: String, _ predicate: @escaping (MagicRow<Model>) -> MagicPredicate<Model>,
    _ isTrue: @escaping (Model) -> Bool
  ) {
    (self.name, self.predicate, self.isTrue) = (name, predicate, isTrue)
  }
}
