import MagicAsync
import MagicRelations

/// A target of relationships, which also refers to its own type.
struct Leaf: MagicObject {
  @MagicValue(.indexed) var name: String
  @OptionMagicValue var next: Leaf?
  @ReverseMagicValue(\Root.$list) var roots: AsyncReverseMagicSet<Root>

  init() {}
  init(_ name: String) { self.name = name }
}

/// A key that is stored as JSON.
struct Spot: Codable, Hashable, Sendable {
  let row: Int
  let side: String
}

/// An object with every kind of relationship.
struct Root: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var one: Leaf
  @OptionMagicValue var maybe: Leaf?
  @OptionMagicValue(.onDelete(.cascade)) var up: Root?
  @MagicValue var list: [Leaf] = []
  @MagicValue var group: MagicalSet<Leaf> = []
  @MagicValue(.onDelete(.deny)) var names: [String: Leaf] = [:]
  @MagicValue(.onDelete(.cascade)) var years: [Int: Leaf] = [:]
  @MagicValue var spots: [Spot: Leaf] = [:]

  init() {}
  init(_ name: String) { self.name = name }
}
