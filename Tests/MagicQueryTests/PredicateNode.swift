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

/// The same question to the database and to Swift.
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

/// Numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
