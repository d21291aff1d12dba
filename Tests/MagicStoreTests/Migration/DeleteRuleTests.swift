import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Changes of delete rules, of to-one relationships and of collections.
@Suite struct DeleteRuleTests {
  let scratch = Scratch()

  enum Nullify {
    struct Rack: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var leaf: Leaf?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum Deny {
    struct Rack: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue(.onDelete(.deny)) var leaf: Leaf?
      @MagicValue(.onDelete(.deny)) var list: [Leaf] = []
      @MagicValue(.onDelete(.deny)) var set: MagicalSet<Leaf> = []
      @MagicValue(.onDelete(.deny)) var named: [String: Leaf] = [:]
    }
  }

  enum Cascade {
    struct Rack: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue(.onDelete(.cascade)) var leaf: Leaf?
      @MagicValue(.onDelete(.cascade)) var list: [Leaf] = []
      @MagicValue(.onDelete(.cascade)) var set: MagicalSet<Leaf> = []
      @MagicValue(.onDelete(.cascade)) var named: [String: Leaf] = [:]
    }
  }

  enum Rule: CaseIterable { case nullify, deny, cascade }

  fileprivate static var changes: [(Rule, Rule)] {
    Rule.allCases.flatMap { old in Rule.allCases.filter { $0 != old }.map { (old, $0) } }
  }

  /// Saves a rack of five leaves: 0 is the to-one, 1 and 2 the list, 3 the set, 4 has a key.
  private func save(_ rule: Rule, in store: MagicObjectStore) throws {
    let leaves = (0..<5).map { Leaf($0) }
    switch rule {
    case .nullify:
      let rack = Nullify.Rack()
      (rack.leaf, rack.list, rack.set) = (leaves[0], [leaves[1], leaves[2]], [leaves[3]])
      rack.named = ["k": leaves[4]]
      try store.update(rack)
    case .deny:
      let rack = Deny.Rack()
      (rack.leaf, rack.list, rack.set) = (leaves[0], [leaves[1], leaves[2]], [leaves[3]])
      rack.named = ["k": leaves[4]]
      try store.update(rack)
    case .cascade:
      let rack = Cascade.Rack()
      (rack.leaf, rack.list, rack.set) = (leaves[0], [leaves[1], leaves[2]], [leaves[3]])
      rack.named = ["k": leaves[4]]
      try store.update(rack)
    }
  }

  /// Fetches the racks, which migrates them, and returns the leaves that they refer to.
  private func numbers(_ rule: Rule, in store: MagicObjectStore) throws -> [[Int]] {
    switch rule {
    case .nullify:
      return try store.object(of: Nullify.Rack.self).map { rack in
        ([rack.leaf].compactMap { $0 } + rack.list + Array(rack.set) + Array(rack.named.values))
          .map(\.number)
      }
    case .deny:
      return try store.object(of: Deny.Rack.self).map { rack in
        ([rack.leaf].compactMap { $0 } + rack.list + Array(rack.set) + Array(rack.named.values))
          .map(\.number)
      }
    case .cascade:
      return try store.object(of: Cascade.Rack.self).map { rack in
        ([rack.leaf].compactMap { $0 } + rack.list + Array(rack.set) + Array(rack.named.values))
          .map(\.number)
      }
    }
  }

  private func removeRacks(_ rule: Rule, in store: MagicObjectStore) throws {
    switch rule {
    case .nullify: try store.removeAll(of: Nullify.Rack.self)
    case .deny: try store.removeAll(of: Deny.Rack.self)
    case .cascade: try store.removeAll(of: Cascade.Rack.self)
    }
  }

  private func expectAsNew(_ rule: Rule) throws {
    switch rule {
    case .nullify: try scratch.expectAsNew(Nullify.Rack.self)
    case .deny: try scratch.expectAsNew(Deny.Rack.self)
    case .cascade: try scratch.expectAsNew(Cascade.Rack.self)
    }
  }

  @Test(arguments: changes)
  func theNewRuleAppliesAndTheReferencesAreKept(change: (old: Rule, new: Rule)) throws {
    try scratch.using { try save(change.old, in: $0) }
    try scratch.using { store throws in
      #expect(try numbers(change.new, in: store) == [[0, 1, 2, 3, 4]])
    }
    try expectAsNew(change.new)
    try scratch.using { store throws in
      _ = try numbers(change.new, in: store)
      let leaves = try store.object(of: Leaf.self)
      for leaf in leaves {
        switch change.new {
        case .nullify: try store.remove(leaf)
        case .deny:
          let error = #expect(throws: MagicError.self) { try store.remove(leaf) }
          #expect(error?.code == .stillReferenced)
        case .cascade: break
        }
      }
      switch change.new {
      case .nullify: #expect(try numbers(.nullify, in: store) == [[]])
      case .deny:
        try removeRacks(.deny, in: store)
        #expect(try store.object(of: Leaf.self).count == 5)
      case .cascade:
        // The members are deleted with the rack, the rack with its to-one leaf.
        try store.remove(leaves[0])
        #expect(try numbers(.cascade, in: store).isEmpty)
        #expect(try store.object(of: Leaf.self).isEmpty)
      }
      #expect(try store.verify().findings == [])
    }
  }

  @Test func aRuleChangesOnlyInOneRelationship() throws {
    enum Later {
      struct Rack: MagicObject {
        @MagicValue var name = ""
        @OptionMagicValue var leaf: Leaf?
        @MagicValue(.onDelete(.cascade)) var list: [Leaf] = []
        @MagicValue var set: MagicalSet<Leaf> = []
        @MagicValue var named: [String: Leaf] = [:]
      }
    }
    try scratch.using { try save(.nullify, in: $0) }
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Later.Rack.self)
      #expect(plan.kind == .additive)
    }
    try scratch.migrating(to: Later.Rack.self) { store, racks throws in
      try store.remove(racks[0])
      #expect(try store.object(of: Leaf.self).map(\.number) == [0, 3, 4])
    }
  }

  @Test func aCascadeOfATypeToItselfSurvivesARebuild() throws {
    enum Sooner {
      struct Folder: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
        @MagicValue(.onDelete(.cascade)) var linked: [Folder] = []
        init() {}
        init(_ name: String, in parent: Folder?) { (self.name, self.parent) = (name, parent) }
      }
    }
    enum Later {
      struct Folder: MagicObject {
        @OptionMagicValue var name: String?
        @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
        @MagicValue(.onDelete(.cascade)) var linked: [Folder] = []
      }
    }
    try scratch.using { store throws in
      let root = Sooner.Folder("root", in: nil)
      let child = Sooner.Folder("child", in: root)
      let other = Sooner.Folder("other", in: nil)
      child.linked = [other]
      try store.update(contentsOf: [child, Sooner.Folder("stays", in: nil)])
    }
    try scratch.migrating(to: Later.Folder.self) { store, folders throws in
      #expect(folders.count == 4)
      try store.remove(try #require(folders.first { $0.name == "root" }))
      #expect(try store.object(of: Later.Folder.self).map(\.name) == ["stays"])
    }
  }

  /// The triggers of another type's table refer to one that is rebuilt.
  @Test func aCascadeFromAnotherTableSurvivesTheRebuildOfItsTarget() throws {
    enum Sooner {
      struct Twig: MagicObject {
        @MagicValue var size = 1
        @OptionMagicValue var note: String?
      }
      struct Bough: MagicObject {
        @MagicValue(.onDelete(.cascade)) var twigs: [Twig] = []
        @OptionMagicValue(.onDelete(.cascade)) var first: Twig?
      }
    }
    enum Later {
      struct Twig: MagicObject {
        @OptionMagicValue var size: String?
      }
      struct Bough: MagicObject {
        @MagicValue(.onDelete(.cascade)) var twigs: [Twig] = []
        @OptionMagicValue(.onDelete(.cascade)) var first: Twig?
      }
    }
    try scratch.using { store throws in
      for _ in 0..<2 {
        let bough = Sooner.Bough()
        bough.twigs = (0..<3).map { _ in Sooner.Twig() }
        bough.first = bough.twigs[0]
        try store.update(bough)
      }
    }
    try scratch.using { store throws in
      // Only the twigs are fetched.
      #expect(try store.object(of: Later.Twig.self).map(\.size) == Array(repeating: "1", count: 6))
    }
    try scratch.expectAsNew(Later.Bough.self, Later.Twig.self)
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = ON; DELETE FROM Bough WHERE z_index = 1")
    #expect(try connection.integer("SELECT count(*) FROM Twig") == 3)
    connection.close()
    try scratch.using { store throws in
      let boughs = try store.object(of: Later.Bough.self)
      #expect(boughs.map(\.twigs.count) == [3])
      try store.remove(boughs[0].twigs[0])
      #expect(try store.object(of: Later.Bough.self).isEmpty)
      #expect(try store.object(of: Later.Twig.self).isEmpty)
    }
  }
}
