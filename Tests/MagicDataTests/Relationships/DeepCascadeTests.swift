import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Cascades of thousands of levels; SQLite's own limit is a thousand.
@Suite(.everyEngine) struct DeepCascadeTests {
  let scratch = Scratch()
  private static let depth = Effort.choose(1_500, long: 5_000)

  struct Node: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var parent: Node?
  }

  struct Link: MagicObject {
    @MagicValue(.onDelete(.cascade)) var next: Link
  }

  struct Diamond: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var left: Diamond?
    @OptionMagicValue(.onDelete(.cascade)) var right: Diamond?
  }

  struct Even: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var odd: Odd?
  }

  struct Odd: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var even: Even?
  }

  struct Folder: MagicObject {
    @MagicValue(.onDelete(.cascade)) var list: [Folder] = []
    @MagicValue(.onDelete(.cascade)) var set: MagicalSet<Folder> = []
    @MagicValue(.onDelete(.cascade)) var named: [Int: Folder] = [:]
  }

  enum Removal: CaseIterable { case one, several, all }

  /// Removes the first object, all objects, or all of the type.
  private func remove<Model: MagicObject>(
    _ removal: Removal, _ objects: [Model], from magic: MagicData
  ) async throws {
    switch removal {
    case .one: try await magic.remove(objects[0])
    case .several: try await magic.remove(contentsOf: objects)
    case .all: #expect(try await magic.removeAll(of: Model.self) >= objects.count)
    }
    #expect(try await magic.query(Model.self).count() == 0)
    #expect(objects[0].zIndex == nil || removal == .all)
  }

  @Test(arguments: Removal.allCases) func chains(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<Self.depth).map { _ in Node() }
    for index in nodes.indices.dropFirst() { nodes[index].parent = nodes[index - 1] }
    try await magic.update(nodes[Self.depth - 1])
    #expect(try await magic.query(Node.self).count() == Self.depth)
    try await remove(removal, nodes, from: magic)
    let new = Node()
    #expect(try await magic.update(new).rawValue == Int64(Self.depth + 1))
  }

  @Test(arguments: Removal.allCases) func cycles(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<Self.depth).map { _ in Node() }
    for index in nodes.indices {
      nodes[index].parent = nodes[(index + Self.depth - 1) % Self.depth]
    }
    try await magic.update(nodes[0])
    nodes[0].parent = nil
    #expect(try await magic.query(Node.self).count() == Self.depth)
    try await remove(removal, nodes, from: magic)
  }

  @Test(arguments: Removal.allCases) func cyclesOfRequiredToOnes(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let links = (0..<Self.depth).map { _ in Link() }
    for index in links.indices { links[index].next = links[(index + 1) % Self.depth] }
    try await magic.update(links[0])
    for link in links { link.next = link }
    #expect(try await magic.query(Link.self).count() == Self.depth)
    try await remove(removal, links, from: magic)
    try scratch.expectWhole()
  }

  @Test(arguments: Removal.allCases) func diamonds(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    var diamonds = [Diamond(), Diamond()]
    for _ in 1..<Self.depth / 2 {
      let above = diamonds.suffix(2)
      let pair = [Diamond(), Diamond()]
      for one in pair { (one.left, one.right) = (above.first, above.last) }
      diamonds += pair
    }
    diamonds[1].left = diamonds[0]
    try await magic.update(contentsOf: diamonds)
    try await remove(removal, diamonds, from: magic)
  }

  @Test(arguments: Removal.allCases) func alternatingTypes(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    var evens = [Even()]
    for _ in 0..<Self.depth / 2 {
      let odd = Odd()
      odd.even = evens.last
      let even = Even()
      even.odd = odd
      evens.append(even)
    }
    try await magic.update(contentsOf: evens)
    #expect(try await magic.query(Odd.self).count() == Self.depth / 2)
    try await remove(removal, evens, from: magic)
    #expect(try await magic.query(Odd.self).count() == 0)
  }

  @Test(arguments: Removal.allCases) func collectionsOfOwnType(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let folders = (0..<Self.depth).map { _ in Folder() }
    for index in folders.indices.dropLast() { nest(folders[index + 1], in: folders[index], index) }
    try await magic.update(folders[0])
    #expect(try await magic.query(Folder.self).count() == Self.depth)
    try await remove(removal, folders, from: magic)
    for table in ["list", "set", "named"] {
      try scratch.expectRows(0, in: "magic_Folder.\(table)")
    }
  }

  @Test(arguments: Removal.allCases) func cyclesOfCollections(_ removal: Removal) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let folders = (0..<Self.depth).map { _ in Folder() }
    for index in folders.indices {
      nest(folders[(index + 1) % Self.depth], in: folders[index], index)
    }
    try await magic.update(folders[0])
    for folder in folders { (folder.list, folder.set, folder.named) = ([], [], [:]) }
    try await remove(removal, folders, from: magic)
    try scratch.expectWhole()
  }

  private func nest(_ inner: Folder, in outer: Folder, _ index: Int) {
    switch index % 3 {
    case 0: outer.list = [inner, inner]
    case 1: outer.set = [inner]
    default: outer.named = [index: inner]
    }
  }

  @Test func aFolderThatContainsItselfIsRemoved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let folder = Folder()
    (folder.list, folder.set, folder.named) = ([folder], [folder], [1: folder])
    try await magic.update(folder)
    (folder.list, folder.set, folder.named) = ([], [], [:])
    try await magic.remove(folder)
    #expect(try await magic.query(Folder.self).count() == 0)
  }

  @Test func aRefusedDeepCascadeRemovesNothing() async throws {
    struct Pin: MagicObject { @MagicValue var node: Node }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<Self.depth).map { _ in Node() }
    for index in nodes.indices.dropFirst() { nodes[index].parent = nodes[index - 1] }
    let pin = Pin()
    pin.node = nodes[Self.depth - 1]
    try await magic.update(pin)
    let error = await #expect(throws: MagicError.self) { try await magic.remove(nodes[0]) }
    #expect(error?.code == .stillReferenced)
    #expect(error?.type == "Pin")
    #expect(try await magic.query(Node.self).count() == Self.depth)
    #expect(nodes[0].zIndex != nil)
    try scratch.expectWhole()
  }

  @Test func aCancelledCascadeRemovesNothing() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<Self.depth).map { _ in Node() }
    for index in nodes.indices.dropFirst() { nodes[index].parent = nodes[index - 1] }
    try await magic.update(nodes[Self.depth - 1])
    let removal = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await magic.remove(nodes[0])
    }
    await #expect(throws: CancellationError.self) { try await removal.value }
    #expect(try await magic.query(Node.self).count() == Self.depth)
    #expect(nodes[0].zIndex != nil)
  }

  @Test(.requires(.files)) func rawSQLCascadesThroughHundredsOfLevels() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<900).map { _ in Node() }
    for index in nodes.indices.dropFirst() { nodes[index].parent = nodes[index - 1] }
    try await magic.update(nodes[899])
    let folders = (0..<400).map { _ in Folder() }
    for index in folders.indices.dropLast() { nest(folders[index + 1], in: folders[index], index) }
    try await magic.update(folders[0])
    let connection = try scratch.raw()
    try connection.execute("DELETE FROM Node WHERE parent IS NULL")
    try connection.execute(
      "DELETE FROM Folder WHERE z_index = \(folders[0].zIndex?.rawValue ?? 0)")
    #expect(try await magic.query(Node.self).count() == 0)
    #expect(try await magic.query(Folder.self).count() == 0)
    try scratch.expectWhole()
  }

  @Test func aCascadeOfRawSQLBeyondSQLitesDepthChangesNothing() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<1_500).map { _ in Node() }
    for index in nodes.indices.dropFirst() { nodes[index].parent = nodes[index - 1] }
    try await magic.update(nodes[1_499])
    #expect(throws: SQLiteError.self) {
      try scratch.raw().execute("DELETE FROM Node WHERE parent IS NULL")
    }
    #expect(try await magic.query(Node.self).count() == 1_500)
    try await magic.remove(nodes[0])
    #expect(try await magic.query(Node.self).count() == 0)
  }
}
