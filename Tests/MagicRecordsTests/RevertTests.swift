import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Cancelled: Error {}

@Suite(.everyEngine) struct RevertTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func saved(_ magic: MagicData) async throws -> [Desk] {
    let desk = Desk.filled()
    desk.group = [Player("Dan")]
    try await magic.update(desk)
    return [desk, try await magic.object(of: Desk.self)[0]]
  }

  @Test func revertingRestoresTheValuesOfTheLastFetchOrSave() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let before = desk.summary
      for text in ["b", "c"] {
        let copy = desk
        desk.changeAll(to: text)
        desk.changeAll(to: text + text)
        #expect(desk.hasChanges && desk.summary != before)
        copy.revert()
        #expect(!desk.hasChanges && desk.changedProperties.isEmpty)
        #expect(desk.summary == before)
      }
      desk.changeAll(to: "saved")
      try await magic.update(desk)
      let later = desk.summary
      #expect(later != before)
      desk.changeAll(to: "lost")
      desk.note = nil
      desk.owner = nil
      desk.people = []
      desk.revert()
      #expect(desk.summary == later && !desk.hasChanges)
      desk.width = 7
      try await magic.update(desk)
      #expect(try await magic.object(of: Desk.self)[0].width == 7)
      #expect(try await magic.object(of: Desk.self)[0].name == "saved")
      desk.changeAll(to: "a")
      try await magic.update(desk)
    }
  }

  @Test func valuesOfOneWordRevert() async throws {
    let magic = try await open()
    let new = Dial(turns: .min, angle: -0.0, isOn: true, mode: .high, marks: nil)
    try await magic.update(new)
    for dial in [new, try await magic.object(of: Dial.self)[0]] {
      let first = dial.summary
      for _ in 0..<2 {
        dial.set(.max, nil, false, nil, -1)
        dial.turns &+= 1
        dial.revert()
        #expect(dial.summary == first && !dial.hasChanges)
      }
      dial.set(-1, nil, false, .off, .min)
      try await magic.update(dial)
      let second = dial.summary
      dial.turns -= 1
      dial.angle = .infinity
      dial.isOn.toggle()
      dial.mode = nil
      dial.marks = nil
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          try transaction.update(dial)
          dial.set(0, 0, true, nil, 0)
          throw Cancelled()
        }
      }
      let zero = dial.summary
      #expect(dial.changedProperties.count == 5 && zero != second)
      #expect(try await magic.object(of: Dial.self)[0].summary == second)
      dial.revert()
      #expect(dial.summary == second && !dial.hasChanges)
      dial.set(.min, -0.0, true, .high, nil)
      try await magic.update(dial)
      #expect(dial.summary == first)
    }
  }

  @Test func revertingReturnsLazyValuesToTheStoredOnes() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      for _ in 0..<2 {
        desk.lazyPeople.set([])
        desk.lazyOwner = nil
        #expect(desk.changedProperties == ["lazyOwner", "lazyPeople"])
        desk.revert()
        #expect(!desk.hasChanges)
        #expect(try await desk.lazyPeople.get().map(\.name) == ["Max"])
        #expect(try await desk.lazyOwner?.get().name == "Lea")
      }
      desk.lazyOwner = nil
      try await magic.update(desk)
      desk.lazyOwner = .init(value: Player("Zoe"))
      desk.revert()
      #expect(desk.lazyOwner == nil && !desk.hasChanges)
      desk.lazyOwner = .init(value: Player("Lea"))
      try await magic.update(desk)
    }
  }

  @Test func aRolledBackSaveIsNoSave() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let before = desk.summary
      await #expect(throws: Cancelled.self) {
        try await magic.transaction { transaction in
          desk.changeAll(to: "b")
          try transaction.update(desk)
          let inside = desk.summary
          desk.changeAll(to: "c")
          desk.revert()
          #expect(desk.summary == inside)
          desk.name = "d"
          try transaction.update(desk)
          throw Cancelled()
        }
      }
      #expect(desk.name == "d" && desk.$name.hasChanged && desk.$people.hasChanged)
      desk.revert()
      #expect(desk.summary == before && !desk.hasChanges)
    }
  }

  @Test func aRolledBackSavepointIsNoSave() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let before = desk.name
      try await magic.transaction { transaction in
        desk.name = "outer"
        try transaction.update(desk)
        #expect(throws: Cancelled.self) {
          try transaction.transaction { inner in
            desk.name = "inner"
            try inner.update(desk)
            throw Cancelled()
          }
        }
        #expect(desk.name == "inner" && desk.$name.hasChanged)
        desk.revert()
        #expect(desk.name == "outer")
      }
      #expect(!desk.hasChanges)
      desk.name = before
      try await magic.update(desk)
    }
  }

  @Test func revertingAnObjectWithoutARowDoesNothing() async throws {
    let magic = try await open()
    let player = Player("Ann")
    player.name = "Bob"
    player.revert()
    #expect(player.name == "Bob")
    try await magic.update(player)
    player.name = "Cid"
    try await magic.remove(player)
    player.revert()
    #expect(player.name == "Cid")
    await #expect(throws: Cancelled.self) {
      try await magic.transaction {
        try $0.update(player)
        throw Cancelled()
      }
    }
    player.revert()
    #expect(player.name == "Cid")
  }

  @Test func cyclicObjectsRevertToTheSameRows() async throws {
    let magic = try await open()
    let root = Branch("root", [Branch("a"), Branch("b")])
    for child in root.children { child.parent = root }
    try await magic.update(root)
    let fetched = try #require(try await magic.object(of: Branch.self).first { $0.name == "root" })
    for branch in [root, fetched] {
      branch.children.append(Branch("c"))
      branch.children[0].parent = nil
      branch.children[1].parent = branch.children[0]
      branch.children[0].revert()
      branch.children[1].revert()
      branch.revert()
      #expect(branch.children.map(\.name) == ["a", "b"])
      #expect(branch.children.allSatisfy { $0.parent?.isSameRow(as: branch) ?? false })
      branch.children.removeLast()
      try await magic.update(branch)
      branch.children = []
      branch.revert()
      #expect(branch.children.map(\.name) == ["a"])
      branch.children.append(try await magic.object(of: Branch.self).first { $0.name == "b" }!)
      try await magic.update(branch)
    }
  }

  @Test func assetsRevert() async throws {
    let magic = try await MagicData(type: .temporary)
    let new = Everything()
    new.text = "a"
    new.asset = MagicAsset(value: "old")
    try await magic.update(new)
    for object in [new, try await magic.object(of: Everything.self)[0]] {
      object.asset = MagicAsset(value: "new")
      object.rank = .low
      object.heat = Celsius(1)
      object.url = URL(fileURLWithPath: "/b")
      object.maybe = nil
      object.revert()
      #expect(!object.hasChanges && object.maybe == 4 && object.rank == .high)
      #expect(object.heat.degrees == 36.5 && object.url.path == "/a")
      #expect(object.asset?.value == "old")
    }
    await magic.close()
  }

  @Test func changesHaveOldAndNewValues() async throws {
    let magic = try await open()
    for desk in try await saved(magic) {
      let savedValues = desk.values
      #expect(desk.changes.isEmpty && desk.savedValues == savedValues)
      let owner = try #require(desk.owner)
      desk.name = "b"
      desk.name = "c"
      desk.note = "n"
      desk.owner = nil
      desk.people.removeLast()
      desk.lazyPeople.set([])
      #expect(desk.savedValues == savedValues)
      #expect(desk.savedValues.$name == "a" && desk.savedValues.$owner == owner.magicID)
      let changes = desk.changes
      #expect(changes.map(\.name) == ["name", "note", "owner", "people", "lazyPeople"])
      #expect(changes[0].old as? String == "a" && changes[0].new as? String == "c")
      #expect("\(changes[0])" == #"name: "a" → "c""#)
      #expect(changes[1].old == nil && changes[1].new as? String == "n")
      #expect(changes[2].old as? MagicID<Player> == owner.magicID && changes[2].new == nil)
      #expect((changes[3].old as? [MagicID<Player>])?.count == 2)
      #expect((changes[3].new as? [MagicID<Player>])?.count == 1)
      #expect(changes[4].old == nil && changes[4].new == nil)
      desk.revert()
      #expect(desk.changes.isEmpty)
    }
    #expect(Desk("new").changes.first { $0.name == "name" }?.old == nil)
    #expect(Desk("new").savedValues.$name == nil)
  }

  @Test func concurrentChangesAndRevertsKeepValuesValid() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[1]
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<300 {
            switch (task + index) % 4 {
            case 0: desk.name = "b"
            case 1: desk.tags.append("y")
            case 2: desk.people.removeAll()
            default: desk.revert()
            }
            _ = (desk.summary, desk.changes)
          }
        }
      }
    }
    desk.revert()
    #expect(desk.name == "a" && desk.tags == ["x"] && desk.people.map(\.name) == ["Bob", "Cid"])
  }

  /// The property is reverted after the change in progress has ended and before the waiting one
  /// begins.
  @Test func aChangeThatHasWaitedForAnotherChangesTheRevertedMembers() async throws {
    let magic = try await open()
    let desk = try await saved(magic)[1]
    for _ in 0..<50 {
      async let change: Void = desk.people.removeAllSlowly()
      await withCheckedContinuation { continuation in
        Thread {
          DispatchQueue.concurrentPerform(iterations: 6) { index in
            if index.isMultiple(of: 2) { desk.revert() } else { desk.people.append(Player("Max")) }
          }
          continuation.resume()
        }.start()
      }
      await change
      #expect(desk.people.allSatisfy { ["Bob", "Cid", "Max"].contains($0.name) })
    }
    desk.revert()
    #expect(desk.people.map(\.name) == ["Bob", "Cid"])
  }
}

extension [Player] {
  /// Keeps its thread during the change, which therefore does not appear to be suspended.
  fileprivate mutating func removeAllSlowly() async {
    removeAll()
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
  }
}
