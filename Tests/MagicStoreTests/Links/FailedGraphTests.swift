import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// A failed save changes neither the database nor the objects in memory.
@Suite(.everyEngine) struct FailedGraphTests {
  private func makeBox(_ label: String) -> Box {
    let box = Box(label)
    box.shelf = Shelf()
    box.shelf.items = (0..<40).map { Item("\(label) \($0)") }
    box.shelf.named = ["a": box.shelf.items[0], "b": Item("\(label) b")]
    box.shelf.some = MagicalSet(box.shelf.items[5..<10])
    box.shelf.box = box
    return box
  }

  private func zIndexes(_ box: Box) -> [ZIndex?] {
    [box.zIndex, box.shelf.zIndex] + box.shelf.items.map(\.zIndex)
      + box.shelf.named.values.map(\.zIndex) + box.shelf.some.map(\.zIndex)
  }

  private func expect(_ stored: Box, toBeAs box: Box) {
    #expect(stored.shelf.items.map(\.code) == box.shelf.items.map(\.code))
    #expect(stored.shelf.named.mapValues(\.code) == box.shelf.named.mapValues(\.code))
    #expect(Set(stored.shelf.some.map(\.code)) == Set(box.shelf.some.map(\.code)))
    #expect(stored.shelf.box?.isSameRow(as: stored) == true)
  }

  @Test func allObjectsOfANewGraphThatViolatesAUniqueConstraintAreUnsaved() throws {
    let counted = try CountedStore()
    try counted.store.update(Item("taken"))
    let box = makeBox("a")
    box.shelf.items[33].code = "taken"
    let error = #expect(throws: MagicError.self) { try counted.store.update(box) }
    #expect(error?.code == .notUnique)
    #expect(error?.type == "Item")
    #expect(error?.property == "code")
    #expect(zIndexes(box).allSatisfy { $0 == nil })
    #expect(try counted.store.object(of: Item.self).map(\.code) == ["taken"])
    #expect(try counted.store.object(of: Box.self).isEmpty)

    box.shelf.items[33].code = "free"
    try counted.store.update(box)
    #expect(zIndexes(box).allSatisfy { $0 != nil })
    try expect(#require(counted.store.object(of: Box.self).first), toBeAs: box)
    #expect(try counted.costOfSaving(box) == .nothing)
  }

  @Test func theErrorNamesAMissingValueDeepInTheGraph() throws {
    let counted = try CountedStore()
    let box = makeBox("a")
    box.shelf.items.append(Item())
    let error = #expect(throws: MagicError.self) { try counted.store.update(box) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Item")
    #expect(error?.property == "code")
    #expect(zIndexes(box).allSatisfy { $0 == nil })
    box.shelf.items[40].code = "given"
    try counted.store.update(box)
    try expect(#require(counted.store.object(of: Box.self).first), toBeAs: box)
  }

  @Test func theErrorNamesAMissingRelationship() throws {
    let counted = try CountedStore()
    let error = #expect(throws: MagicError.self) { try counted.store.update(Box("a")) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Box")
    #expect(error?.property == "shelf")
    let crate = Crate()
    crate.box = makeBox("a")
    let second = #expect(throws: MagicError.self) { try counted.store.update(crate) }
    #expect(second?.code == .missingValue)
    #expect(second?.type == "Crate")
    #expect(second?.property == "items")
    #expect(crate.zIndex == nil)
    #expect(zIndexes(crate.box).allSatisfy { $0 == nil })
    crate.items = []
    try counted.store.update(crate)
    try expect(#require(counted.store.object(of: Crate.self).first).box, toBeAs: crate.box)
  }

  @Test(arguments: [false, true])
  func aChangedGraphKeepsItsChanges(isFetched: Bool) throws {
    let counted = try CountedStore()
    let new = makeBox("a")
    try counted.store.update(new)
    try counted.store.update(Item("taken"))
    let box = isFetched ? try #require(counted.store.object(of: Box.self).first) : new
    let before = try #require(counted.store.object(of: Box.self).first)
    let codes = before.shelf.items.map(\.code)

    let added = Item("added")
    box.shelf.items.insert(added, at: 20)
    box.shelf.items.removeLast()
    box.shelf.named["b"] = nil
    box.shelf.named["c"] = added
    box.shelf.some.remove(box.shelf.some[0])
    box.shelf.some.insert(added)
    box.shelf.items[3].code = "changed"
    box.label = "b"
    let old = box.shelf.items[4].code
    box.shelf.items[4].code = "taken"
    for _ in 0..<2 {
      let error = #expect(throws: MagicError.self) { try counted.store.update(box) }
      #expect(error?.code == .notUnique)
      #expect(added.zIndex == nil)
      let stored = try #require(counted.store.object(of: Box.self).first)
      #expect(stored.label == "a")
      #expect(stored.shelf.items.map(\.code) == codes)
      expect(stored, toBeAs: before)
    }
    box.shelf.items[4].code = old + "!"
    // Three changed rows and a new one; two join rows of each collection.
    try counted.expectSaving(box, writes: 4 + 6)
    let stored = try #require(counted.store.object(of: Box.self).first)
    #expect(stored.label == "b")
    expect(stored, toBeAs: box)
    #expect(try counted.costOfSaving(box) == .nothing)
  }

  @Test func aCycleOfRequiredToOnesThatFailedIsSavedAfterItsCorrection() throws {
    let counted = try CountedStore()
    let (left, right) = (Left(), Right())
    (left.right, right.left) = (right, left)
    right.items = [Item("a"), Item("a")]
    #expect(throws: MagicError.self) { try counted.store.update(left) }
    #expect(left.zIndex == nil)
    #expect(right.zIndex == nil)
    right.items[1].code = "b"
    try counted.store.update(left)
    let stored = try #require(counted.store.object(of: Left.self).first)
    #expect(stored.right.left.isSameRow(as: stored))
    #expect(stored.right.items.map(\.code) == ["a", "b"])
  }

  @Test func allObjectsOfAFailedSaveOfManyGraphsAreUnsaved() throws {
    let counted = try CountedStore()
    let boxes = (0..<10).map { makeBox("\($0)") }
    boxes[9].shelf.items[39].code = "0 0"
    #expect(throws: MagicError.self) { try counted.store.update(contentsOf: boxes) }
    #expect(boxes.flatMap(zIndexes).allSatisfy { $0 == nil })
    #expect(try counted.store.object(of: Item.self).isEmpty)
    boxes[9].shelf.items[39].code = "9 39"
    try counted.store.update(contentsOf: boxes)
    let stored = try counted.store.object(of: Box.self)
    #expect(stored.count == 10)
    for box in boxes {
      let same = try #require(stored.first { $0.isSameRow(as: box) })
      expect(same, toBeAs: box)
    }
  }

  /// Runs a closure when a statement is first executed.
  private final class Trigger: @unchecked Sendable {
    var text = ""
    var action: (() -> Void)?

    func see(_ sql: String) {
      guard let action, sql.contains(text) else { return }
      self.action = nil
      action()
    }
  }

  private func open(_ trigger: Trigger, _ scratch: Scratch) throws -> MagicObjectStore {
    try scratch.open(MagicOptions(durability: .normal, trace: { trigger.see($0) }))
  }

  @Test(.requires(.statements)) func aValueThatIsSetDuringASaveIsStillMarkedAsChanged() throws {
    let (scratch, trigger) = (Scratch(), Trigger())
    let store = try open(trigger, scratch)
    let box = makeBox("a")
    for attempt in 0..<2 {
      // The row was bound when the statement is seen.
      trigger.text = attempt == 0 ? "INSERT INTO \"Item\"" : "UPDATE \"Item\""
      trigger.action = { for item in box.shelf.items { item.code += " later \(attempt)" } }
      if attempt == 1 { box.shelf.items[0].code += " now" }
      try store.update(box)
      #expect(trigger.action == nil)
      try store.update(box)
      try expect(#require(store.object(of: Box.self).first), toBeAs: box)
    }
    store.close()
  }

  @Test(.requires(.statements)) func aRelationshipThatIsSetDuringASaveIsStillMarkedAsChanged()
    throws
  {
    let (scratch, trigger) = (Scratch(), Trigger())
    let store = try open(trigger, scratch)
    let box = makeBox("a")
    try store.update(box)
    let other = Item("other")
    for text in ["UPDATE \"Box\"", "INSERT INTO \"magic_Shelf.items\""] {
      box.label += "!"
      box.shelf.items.append(Item("new \(text)"))
      trigger.text = text
      trigger.action = {
        box.shelf.items.removeFirst()
        box.shelf.items.append(other)
        box.shelf.named["later"] = other
        box.shelf.some.insert(other)
      }
      try store.update(box)
      #expect(trigger.action == nil)
      try store.update(box)
      try expect(#require(store.object(of: Box.self).first), toBeAs: box)
    }
    store.close()
  }

  @Test(.requires(.statements)) func aToOneThatIsSetDuringASaveIsStillMarkedAsChanged() throws {
    let (scratch, trigger) = (Scratch(), Trigger())
    let store = try open(trigger, scratch)
    let box = makeBox("a")
    try store.update(box)
    let old = box.shelf
    let new = Shelf()
    new.items = old.items
    box.label = "b"
    trigger.text = "UPDATE \"Box\""
    trigger.action = { box.shelf = new }
    try store.update(box)
    #expect(try store.object(of: Box.self).first?.shelf.isSameRow(as: old) == true)
    try store.update(box)
    #expect(try store.object(of: Box.self).first?.shelf.isSameRow(as: new) == true)
    store.close()
  }
}

private struct Item: MagicObject {
  @MagicValue(.unique) var code: String

  init() {}
  init(_ code: String) { self.code = code }
}

private struct Shelf: MagicObject {
  @MagicValue var items: [Item] = []
  @MagicValue var some: MagicalSet<Item> = []
  @MagicValue var named: [String: Item] = [:]
  @OptionMagicValue var box: Box?
}

private struct Box: MagicObject {
  @MagicValue var label: String
  @MagicValue var shelf: Shelf

  init() {}
  init(_ label: String) { self.label = label }
}

private struct Crate: MagicObject {
  @MagicValue var box: Box
  @MagicValue var items: [Item]
}

private struct Left: MagicObject {
  @MagicValue var right: Right
}

private struct Right: MagicObject {
  @MagicValue var left: Left
  @MagicValue var items: [Item] = []
}
