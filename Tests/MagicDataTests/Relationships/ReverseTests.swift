import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The inverse of every kind of relationship.
@Suite(.everyEngine) struct ReverseTests {
  let scratch = Scratch()

  struct Child: MagicObject {
    @MagicValue var name: String
    @ReverseMagicValue(\Parent.$favourite) var favoured: AsyncReverseMagicSet<Parent>
    @ReverseMagicValue(\Parent.$eldest) var eldestOf: AsyncReverseMagicSet<Parent>
    @ReverseMagicValue(\Parent.$set) var father: AsyncReverseMagicSet<Parent>
    @ReverseMagicValue(\Parent.$list) var listed: AsyncReverseMagicSet<Parent>
    @ReverseMagicValue(\Parent.$named) var named: AsyncReverseMagicSet<Parent>

    init() {}
    init(_ name: String) { self.name = name }

    var all: [AsyncReverseMagicSet<Parent>] { [favoured, eldestOf, father, listed, named] }
  }

  struct Parent: MagicObject {
    @MagicValue var name: String
    @MagicValue var favourite: Child
    @OptionMagicValue var eldest: Child?
    @MagicValue var set: MagicalSet<Child> = []
    @MagicValue var list: [Child] = []
    @MagicValue var named: [String: Child] = [:]

    init() {}

    /// Refers to a child in every way.
    init(_ name: String, _ child: Child) {
      (self.name, favourite, eldest, set) = (name, child, child, [child])
      (list, named) = ([child, child], ["x": child, "y": child])
    }
  }

  private func names(_ parents: AsyncReverseMagicSet<Parent>) async throws -> [String] {
    var names: [String] = []
    for try await parent in parents { names.append(parent.name) }
    return names
  }

  @Test func anArrayLiteralIsTheEmptySet() async throws {
    let missing: Child? = nil
    #expect(try await names(missing?.father ?? []) == [])
    let empty: AsyncReverseMagicSet<Parent> = []
    #expect(try await empty.count == 0)
  }

  private func expect(
    _ child: Child, has names: [String], at location: SourceLocation = #_sourceLocation
  ) async throws {
    for (index, parents) in child.all.enumerated() {
      #expect(try await parents.count == names.count, "\(index)", sourceLocation: location)
      #expect(try await self.names(parents) == names, "\(index)", sourceLocation: location)
    }
  }

  @Test(arguments: [false, true]) func everyRelationshipHasAnInverse(_ isInMemory: Bool)
    async throws
  {
    let magic =
      isInMemory
      ? try await MagicData.onTestedEngine(type: .memory)
      : try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, ben) = (Child("ada"), Child("ben"))
    try await expect(ada, has: [])
    try await magic.update(Parent("1", ada))
    try await expect(ada, has: ["1"])
    try await expect(ben, has: [])
    try await magic.update(contentsOf: [Parent("2", ben), Parent("3", ada), Parent("4", ada)])
    // Read again each time, from the new instance and from fetched ones.
    try await expect(ada, has: ["1", "3", "4"])
    try await expect(ben, has: ["2"])
    for child in try await magic.object(of: Child.self) {
      try await expect(child, has: child.name == "ada" ? ["1", "3", "4"] : ["2"])
    }
    for parent in try await magic.object(of: Parent.self) {
      try await expect(parent.favourite, has: parent.name == "2" ? ["2"] : ["1", "3", "4"])
      try await expect(parent.list[1], has: parent.name == "2" ? ["2"] : ["1", "3", "4"])
    }
    let third = try await magic.object(of: Parent.self)[2]
    (third.favourite, third.eldest, third.set, third.list, third.named) = (ben, nil, [], [], [:])
    try await magic.update(third)
    for parents in ada.all { #expect(try await names(parents) == ["1", "4"]) }
    #expect(try await names(ben.favoured) == ["2", "3"])
  }

  @Test func ownersAreReturnedWithAllTheirValues() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let child = Child("a")
    try await magic.update(Parent("p", child))
    for try await parent in child.father {
      #expect(parent.favourite.name == "a")
      #expect(parent.list.map(\.name) == ["a", "a"])
      #expect(parent.named.mapValues(\.name) == ["x": "a", "y": "a"])
      #expect(parent.zIndex?.rawValue == 1)
      parent.name = "changed"
      try await magic.update(parent)
    }
    #expect(try await names(child.father) == ["changed"])
  }

  @Test func anUnsavedAndARemovedObjectHaveNoOwners() async throws {
    struct Mark: MagicObject {
      @MagicValue var text: String = ""
      @ReverseMagicValue(\Sheet.$marks) var sheets: AsyncReverseMagicSet<Sheet>
    }
    struct Sheet: MagicObject { @MagicValue var marks: [Mark] = [] }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let mark = Mark()
    let sheet = Sheet()
    sheet.marks = [mark]
    #expect(try await mark.sheets.count == 0)
    for try await _ in mark.sheets { Issue.record("An unsaved object is referred to.") }
    try await magic.update(sheet)
    let fetched = try await magic.object(of: Mark.self)[0]
    #expect(try await mark.sheets.count == 1)
    #expect(try await fetched.sheets.count == 1)
    try await magic.remove(mark)
    #expect(try await mark.sheets.count == 0)
    #expect(try await fetched.sheets.count == 0)
    for try await _ in mark.sheets { Issue.record("A removed object is referred to.") }
    try await magic.update(mark)
    #expect(try await mark.sheets.count == 0)
    try await magic.update(sheet)
    sheet.marks = [mark]
    try await magic.update(sheet)
    #expect(try await mark.sheets.count == 1)
    try await magic.remove(try await magic.object(of: Mark.self)[0])
    try await magic.removeAll(of: Mark.self)
    #expect(try await mark.sheets.count == 0)
  }

  @Test func anObjectWhoseSaveFailedHasNoOwners() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let child = Child("a")
    let parents = [Parent("1", child), Parent("2", child)]
    parents[1].list.append(Child())
    await #expect(throws: MagicError.self) { try await magic.update(contentsOf: parents) }
    try await expect(child, has: [])
    try await magic.update(parents[0])
    try await expect(child, has: ["1"])
  }

  @Test func aTypeCanBeItsOwnInverse() async throws {
    struct Folder: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var parent: Folder?
      @MagicValue var links: [Folder] = []
      @ReverseMagicValue(\Folder.$parent) var children: AsyncReverseMagicSet<Folder>
      @ReverseMagicValue(\Folder.$links) var linkedBy: AsyncReverseMagicSet<Folder>
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let folders = (0..<4).map { _ in Folder() }
    for (index, folder) in folders.enumerated() {
      folder.name = "\(index)"
      if index > 0 { folder.parent = folders[0] }
      folder.links = [folder, folders[(index + 1) % 4]]
    }
    try await magic.update(contentsOf: folders)
    let top = try await magic.object(of: Folder.self)[0]
    #expect(try await top.children.map(\.name).reduce("", +) == "123")
    #expect(try await top.linkedBy.map(\.name).reduce("", +) == "03")
    #expect(try await top.children.count == 3)
    #expect(try await top.linkedBy.count == 2)
    for try await child in folders[0].children { #expect(child.parent?.name == "0") }
    for folder in folders { (folder.parent, folder.links) = (nil, []) }
  }

  @Test func typesThatReferToEachOtherHaveInverses() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Left(), Right())
    (one.right, two.left) = (two, [one])
    try await magic.update(one)
    #expect(try await one.rights.count == 1)
    #expect(try await two.lefts.count == 1)
    for try await right in one.rights { #expect(right.zIndex == two.zIndex) }
    for try await left in two.lefts { #expect(left.right?.zIndex == two.zIndex) }
    one.right = nil
  }

  struct Left: MagicObject {
    @OptionMagicValue var right: Right?
    @ReverseMagicValue(\Right.$left) var rights: AsyncReverseMagicSet<Right>
  }

  struct Right: MagicObject {
    @MagicValue var left: [Left] = []
    @ReverseMagicValue(\Left.$right) var lefts: AsyncReverseMagicSet<Left>
  }

  @Test func classesHaveInverses() async throws {
    final class Item: MagicObject, @unchecked Sendable {
      @MagicValue var name: String = "i"
      @ReverseMagicValue(\Pack.$items) var packs: AsyncReverseMagicSet<Pack>
      init() {}
    }
    final class Pack: MagicObject, @unchecked Sendable {
      @MagicValue var items: [Item] = []
      init() {}
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let pack = Pack()
    pack.items = [Item(), Item()]
    try await magic.update(pack)
    #expect(try await pack.items[0].packs.count == 1)
    let fetched = try await magic.object(of: Item.self)[1]
    for try await found in fetched.packs { #expect(found.items.count == 2) }
    #expect(try await fetched.packs.count == 1)
  }

  @Test func aKeyPathToARelationshipToAnotherTypeIsRefused() async throws {
    struct Apple: MagicObject { @MagicValue var name: String = "" }
    struct Tree: MagicObject { @MagicValue var apples: [Apple] = [] }
    struct Pear: MagicObject {
      @MagicValue var name: String = ""
      @ReverseMagicValue(\Tree.$apples) var trees: AsyncReverseMagicSet<Tree>
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for _ in 0..<2 {
      let error = await #expect(throws: MagicError.self) { try await magic.update(Pear()) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.type == "Pear")
      #expect(error?.property == "trees")
      let read = await #expect(throws: MagicError.self) { try await magic.object(of: Pear.self) }
      #expect(read?.code == .invalidSchema)
    }
    #expect(try await Pear().trees.count == 0)
    try scratch.expectRows(0, in: "sqlite_master")
    try await magic.update(Tree())
  }

  @Test func aKeyPathIntoAnotherObjectIsRefused() async throws {
    struct Leaf: MagicObject {
      @MagicValue var name: String = ""
      @ReverseMagicValue(\Bough.inner.$leaves) var boughs: AsyncReverseMagicSet<Bough>
    }
    struct Bough: MagicObject {
      @MagicValue var name: String = ""
      let inner = Twig()
    }
    struct Twig: MagicObject { @MagicValue var leaves: [Leaf] = [] }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await magic.update(Leaf()) }
    #expect(error?.code == .invalidSchema)
  }

  // MARK: Closed databases

  @Test(.requires(.reopening)) func afterCloseItThrows() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let child = Child("a")
    try await magic.update(Parent("1", child))
    var iterator = child.father.makeAsyncIterator()
    await magic.close()
    let error = await #expect(throws: MagicError.self) { try await child.father.count }
    #expect(error?.code == .closed)
    let next = await #expect(throws: MagicError.self) { _ = try await iterator.next() }
    #expect(next?.code == .closed)
    // With another handle on the same file the iteration works again.
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await child.father.count == 1)
    await again.close()
  }

  @Test func aReleasedDatabaseThrows() async throws {
    let child = Child("a")
    do {
      let magic = try await MagicData.onTestedEngine(path: scratch.file())
      try await magic.update(Parent("1", child))
      #expect(try await child.father.count == 1)
    }
    let path = scratch.path
    #expect(await eventually { openFiles(under: path).isEmpty })
    let error = await #expect(throws: MagicError.self) { try await child.father.count }
    #expect(error?.code == .closed)
    await #expect(throws: MagicError.self) { for try await _ in child.listed {} }
  }

  @Test func aMemoryDatabaseThatIsClosedThrows() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let child = Child("a")
    try await magic.update(Parent("1", child))
    #expect(try await child.father.count == 1)
    await magic.close()
    let error = await #expect(throws: MagicError.self) { try await child.father.count }
    #expect(error?.code == .closed)
  }

  @Test(.requires(.sharedHandles)) func anOpenHandleIsUsableAfterAnotherIsClosed() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let other = try await MagicData.onTestedEngine(path: scratch.file())
    let child = Child("a")
    try await magic.update(Parent("1", child))
    await magic.close()
    #expect(try await child.father.count == 1)
    await other.close()
    await #expect(throws: MagicError.self) { try await child.father.count }
  }

  @Test func closingDuringTheIterationEndsIt() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let child = Child("a")
    try await magic.update(contentsOf: (0..<2_000).map { Parent("\($0)", child) })
    let error = await #expect(throws: MagicError.self) {
      var count = 0
      for try await _ in child.father {
        count += 1
        if count == 100 { await magic.close() }
      }
    }
    #expect(error?.code == .closed)
  }

  @Test func closingDuringManyReadsDoesNotCrash() async throws {
    for _ in 0..<5 {
      let magic = try await MagicData.onTestedEngine(
        path: scratch.file("\(UUID()).sqlite3"), options: MagicOptions(durability: .normal))
      let child = Child("a")
      try await magic.update(contentsOf: (0..<200).map { Parent("\($0)", child) })
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<8 {
          group.addTask {
            do {
              for _ in 0..<20 {
                if index % 2 == 0 {
                  _ = try await child.father.count
                } else {
                  for try await _ in child.favoured {}
                }
              }
            } catch {
              #expect((error as? MagicError)?.code == .closed)
            }
          }
        }
        group.addTask { await magic.close() }
      }
    }
  }

  // MARK: Cancellation

  @Test func aCancelledTaskStops() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let child = Child("a")
    try await magic.update(contentsOf: (0..<1_000).map { Parent("\($0)", child) })
    let counting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await child.father.count
    }
    await #expect(throws: CancellationError.self) { try await counting.value }
    let iterating = Task {
      var count = 0
      for try await _ in child.father {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await iterating.value }
    #expect(try await child.father.count == 1_000)
  }
}

extension AsyncSequence where Self: Sendable {
  /// All elements, mapped.
  fileprivate func map<Result>(_ transform: (Element) -> Result) async throws -> [Result] {
    var results: [Result] = []
    for try await element in self { results.append(transform(element)) }
    return results
  }
}
